import { finishDeletions } from '@sightline/core/curation/finish-deletions';
import type { Database } from '@sightline/core/database/database';
import type { DeletingReader } from '@sightline/core/identities/deleting-identity';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { BackgroundTask } from '../../tasks/background-task.ts';

/** The time without a step, in seconds, after which no process works on a deletion. A step takes less than a second. */
const IDLE_SECONDS = 10;

export interface FinishDeletionsDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly maintenance: DeletingReader;
}

/**
 * Finishes deletions and merges of identities that another process started and did not finish, for example because of
 * a crash.
 */
export function finishDeletionsTask(deps: FinishDeletionsDeps): BackgroundTask {
  return {
    name: 'finish_deletions',
    everyMs: 5_000,
    run: async (signal) => ({
      more: (await finishDeletions(deps, { idleSeconds: IDLE_SECONDS, signal })) > 0,
    }),
  };
}
