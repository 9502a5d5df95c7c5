import type { ModelRollout } from '@sightline/core/activation/model-rollout';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/** Makes the desired models active, in the database and in the processes that run models. */
export function rollOutModelsTask(
  rollout: Pick<ModelRollout, 'poll'>,
  logger: Logger,
): BackgroundTask {
  return {
    name: 'roll_out_models',
    everyMs: 2_000,
    run: async (signal) => {
      const { activated, rolledBack, failure } = await rollout.poll(signal);
      for (const { task, name, revision } of activated) {
        logger.warn({ task, model: name, revision }, 'a new model was activated');
      }
      if (rolledBack !== null) logger.error(rolledBack);
      if (failure !== null) throw failure;
      return ALL_DONE;
    },
  };
}
