import { finishDeletions } from '@sightline/core/curation/finish-deletions';
import type { Database } from '@sightline/core/database/database';
import type { RemovalReader } from '@sightline/core/identities/removal-reader';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { BackgroundTask } from '../background-task.ts';

export interface FinishDeletionsDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly maintenance: RemovalReader;
}

/** Ends deletions of identities that another process began and, as after a crash, did not end. */
export function finishDeletionsTask(deps: FinishDeletionsDeps): BackgroundTask {
  return {
    name: 'finish_deletions',
    everyMs: 5_000,
    run: async (signal) => ({ more: (await finishDeletions(deps, signal)) > 0 }),
  };
}
