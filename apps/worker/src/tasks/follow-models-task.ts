import { ModelFollower, type ModelFollowerDeps } from '@sightline/core/reembedding/model-follower';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '@sightline/background-tasks/background-task';

/** Keeps the processes that run models and the database in agreement. */
export function followModelsTask({
  logger,
  ...deps
}: ModelFollowerDeps & { readonly logger: Logger }): BackgroundTask {
  const follower = new ModelFollower(deps);
  return {
    name: 'follow_models',
    everyMs: 2_000,
    run: async (signal) => {
      const { activated, gaveWay } = await follower.poll(signal);
      for (const { task, name, revision } of activated) {
        logger.warn({ task, model: name, revision }, 'a new model is active');
      }
      if (gaveWay !== null) logger.error(gaveWay);
      return ALL_DONE;
    },
  };
}
