import type { FollowedModels } from '@sightline/core/reembedding/model-follower';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/** Keeps what models are to answer, the processes that run them and the database in agreement. */
export function followModelsTask(
  follower: { readonly poll: (signal: AbortSignal) => Promise<FollowedModels> },
  logger: Logger,
): BackgroundTask {
  return {
    name: 'follow_models',
    everyMs: 2_000,
    run: async (signal) => {
      const { activated, gaveWay, failure } = await follower.poll(signal);
      for (const { task, name, revision } of activated) {
        logger.warn({ task, model: name, revision }, 'a new model is active');
      }
      if (gaveWay !== null) logger.error(gaveWay);
      if (failure !== null) throw failure;
      return ALL_DONE;
    },
  };
}
