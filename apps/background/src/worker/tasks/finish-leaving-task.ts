import { finishAllLeaving } from '@sightline/core/curation/finish-all-leaving';
import type { Database } from '@sightline/core/database/database';
import type { LeavingReader } from '@sightline/core/identities/leaving-identity';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { BackgroundTask } from '../../tasks/background-task.ts';

export interface FinishLeavingDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly maintenance: LeavingReader;
}

/** Ends deletions and merges of identities that another process began and, as after a crash, did not end. */
export function finishLeavingTask(deps: FinishLeavingDeps): BackgroundTask {
  return {
    name: 'finish_leaving',
    everyMs: 5_000,
    run: async (signal) => ({ more: (await finishAllLeaving(deps, signal)) > 0 }),
  };
}
