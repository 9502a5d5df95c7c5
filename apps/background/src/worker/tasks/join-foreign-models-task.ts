import type { ModelStore } from '@sightline/core/models/model-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/** Joins the models that archives brought to those that have been installed since, and deletes those without vectors. */
export function joinForeignModelsTask(models: Pick<ModelStore, 'joinForeign'>): BackgroundTask {
  return {
    name: 'join_foreign_models',
    everyMs: 60_000,
    run: async (signal) => {
      await models.joinForeign(signal);
      return ALL_DONE;
    },
  };
}
