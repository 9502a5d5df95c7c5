import { ModelFollower, type FollowModelsDeps } from '@sightline/core/reembedding/follow-models';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';

/** Makes the models active that inference processes were given, once all of them run those. */
export function followModelsTask({
  logger,
  ...deps
}: FollowModelsDeps & { readonly logger: Logger }): BackgroundTask {
  const follower = new ModelFollower(deps);
  return {
    name: 'follow_models',
    everyMs: 5_000,
    run: async (signal) => {
      for (const { task, name, revision } of await follower.look(signal)) {
        logger.warn({ task, model: name, revision }, 'another model is active from now on');
      }
      return ALL_DONE;
    },
  };
}
