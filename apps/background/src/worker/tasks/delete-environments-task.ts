import {
  deleteEnvironments,
  type DeleteEnvironmentsDeps,
} from '@sightline/core/maintenance/delete-environments';
import type { BackgroundTask } from '../../tasks/background-task.ts';

/** Deletes environments, some rows at a time, after their owners have requested it. */
export function deleteEnvironmentsTask(deps: DeleteEnvironmentsDeps): BackgroundTask {
  return {
    name: 'delete_environments',
    everyMs: 2_000,
    run: async (signal) => ({ more: await deleteEnvironments(deps, signal) }),
  };
}
