import { ModelFollower, type ModelFollowerDeps } from '@sightline/core/reembedding/model-follower';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';

/** Activates new models of the inference processes, once all of these run them. */
export function followModelsTask({
  logger,
  ...deps
}: ModelFollowerDeps & { readonly logger: Logger }): BackgroundTask {
  const follower = new ModelFollower(deps);
  return {
    name: 'follow_models',
    everyMs: 5_000,
    run: async (signal) => {
      for (const { task, name, revision } of await follower.poll(signal)) {
        logger.warn({ task, model: name, revision }, 'a new model is active');
      }
      return ALL_DONE;
    },
  };
}
