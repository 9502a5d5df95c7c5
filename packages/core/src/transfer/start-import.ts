import type { Database, Settle } from '../database/database.ts';
import { isRolledBack } from '../database/is-rolled-back.ts';
import { requireJobRoom } from '../database/require-job-room.ts';
import type { Job } from '../jobs/job.ts';
import type { MediaStore } from '../media/media-store.ts';
import { UploadFiles } from '../media/upload-files.ts';
import { type ImportArchiveDeps, type ImportRequest, openArchive } from './import-archive.ts';

export interface StartImportDeps extends Pick<ImportArchiveDeps, 'archives'> {
  readonly database: Database;
  readonly media: MediaStore;
}

/**
 * Makes the job that imports an archive, after the archive was checked as a whole. It is stored before
 * this answers.
 *
 * @throws TooManyJobs; the errors of `importArchive`. No job is made then.
 */
export async function startImport(
  deps: StartImportDeps,
  request: ImportRequest,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly settle?: Settle<Job> | undefined;
  } = {},
): Promise<Job> {
  const { scope, file } = request;
  const { signal, settle } = options;
  await requireJobRoom(deps.database, scope, signal);
  const { imageCount } = await openArchive(deps, request, signal);
  const files = new UploadFiles(deps.media, scope.environmentId);
  let isCommitting = false;
  try {
    const uploadKey = await files.putFile(file, signal);
    isCommitting = true;
    return await deps.database.withEntities(
      { ...scope, locks: [] },
      async (tx) => {
        files.requireKept();
        const items = [{ input: {}, uploadKey }];
        const job = await tx.jobs.create({ type: 'import', params: {}, items, total: imageCount });
        await settle?.(tx, job);
        return job;
      },
      signal,
    );
  } catch (error) {
    // After another error of the transaction the job may have been made.
    if (!isCommitting || isRolledBack(error)) await files.discard();
    throw error;
  }
}
