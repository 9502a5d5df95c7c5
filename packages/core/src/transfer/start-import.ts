import { createHash } from 'node:crypto';
import type { Database, Settle } from '../database/database.ts';
import { DomainError } from '../domain-error.ts';
import type { Job } from '../jobs/job.ts';
import { discardFiles } from '../media/discard-files.ts';
import { mediaKey } from '../media/media-key.ts';
import type { MediaStore } from '../media/media-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { ArchiveFile } from './archive-file.ts';
import { type ImportArchiveDeps, type ImportRequest, openArchive } from './import-archive.ts';

export interface StartImportDeps extends Pick<ImportArchiveDeps, 'archives'> {
  readonly database: Database;
  readonly media: MediaStore;
}

/** A job that was made a moment ago. */
export type StartedImport = Job<'import'>;

const PIECE_BYTES = 1024 ** 2;

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
    readonly settle?: Settle<StartedImport> | undefined;
  } = {},
): Promise<StartedImport> {
  const { scope, file } = request;
  const { signal, settle } = options;
  const { imageCount } = await openArchive(deps, request, signal);
  const content = { digest: await digestOfFile(file, signal), extension: 'zip' };
  const uploadKey = mediaKey(scope.environmentId, 'uploads', content);
  await deps.media.putFile(uploadKey, file, signal);
  try {
    return await deps.database.withEntities(
      { ...scope, locks: [] },
      async (tx) => {
        const items = [{ input: {}, uploadKey }];
        const job = await tx.jobs.create({ type: 'import', params: {}, items, total: imageCount });
        await settle?.(tx, job);
        return job;
      },
      signal,
    );
  } catch (error) {
    if (isRefusal(error)) await discardFiles(deps.media, [uploadKey]);
    throw error;
  }
}

/** SHA-256 (hex). */
async function digestOfFile(file: ArchiveFile, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (let offset = 0; offset < file.size; offset += PIECE_BYTES) {
    signal?.throwIfAborted();
    hash.update(await file.read({ offset, size: Math.min(PIECE_BYTES, file.size - offset) }));
  }
  return hash.digest('hex');
}

/** After any other error the job may have been made. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && !(error instanceof StoreUnavailable);
}
