import { createHash, type Hash } from 'node:crypto';
import { writeLibrary, type WriteLibraryDeps } from '@sightline/archive-zip/write-library';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import type { JobProgress } from '@sightline/core/jobs/job';
import { isRolledBack } from '@sightline/core/database/is-rolled-back';
import type { JobTools, JobWork } from '@sightline/core/jobs/job-work';
import { discardFiles } from '@sightline/core/media/discard-files';
import { mediaKey } from '@sightline/core/media/media-key';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { ExportPart, ExportRequest } from '@sightline/core/transfer/export-library';
import type { Spool } from '@sightline/platform/http/spool';
import type { SpoolFile } from '@sightline/platform/http/spool-file';
import { inSpool } from './in-spool.ts';

export interface ExportJobDeps extends WriteLibraryDeps {
  readonly media: MediaStore;
  readonly spool: Spool;
}

/**
 * Writes an archive to the spool, and copies it to the media store under a key that contains its digest. A process that
 * takes the item over restarts the export, because the library may have changed.
 */
export function exportJob(deps: ExportJobDeps): JobWork<'export'> {
  return async ({ claim, job }, tools) => {
    const { environmentId } = claim;
    const request = { scope: { environmentId }, identityIds: job.params.identityIds };
    await using file = await openSpool(deps, request, tools.signal);
    const progress = new ExportProgress(job.total);
    const hash = createHash('sha256');
    const archive = writeLibrary(
      deps,
      {
        ...request,
        createdAt: new Date(),
        watch: (parts) => progress.reported(parts, tools.report),
      },
      tools.signal,
    );
    const { size } = await inSpool(() => file.append(hashed(archive, hash)));
    const key = mediaKey(environmentId, 'archives', {
      digest: hash.digest('hex'),
      extension: 'zip',
    });
    await deps.media.putFile(key, { size, read: (range) => file.read(range) }, tools.signal);
    await endWith(deps, tools, { key, progress: progress.last() });
  };
}

/** Opens a file of the spool, after checking that the spool has room for the whole archive. */
async function openSpool(
  { spool, database }: ExportJobDeps,
  { scope, identityIds }: ExportRequest,
  signal: AbortSignal,
): Promise<SpoolFile> {
  const bytes = await database.withScope(
    scope,
    ({ library }) => library.fileBytes(identityIds),
    signal,
  );
  const holder = backgroundOf(scope);
  return inSpool(async () => {
    await spool.requireRoom(holder, bytes);
    return spool.open(holder);
  });
}

class ExportProgress {
  #total: number;
  #done = 0;
  #failed = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Yields the parts, and reports the counted images after each page. */
  async *reported(
    parts: AsyncIterable<ExportPart>,
    report: JobTools['report'],
  ): AsyncGenerator<ExportPart> {
    for await (const part of parts) {
      yield part;
      if (part.part === 'beginning') this.#total = part.images;
      if (part.part !== 'page') continue;
      this.#done += part.requested - part.excluded;
      this.#failed += part.excluded;
      const total = Math.max(this.#total, this.#done + this.#failed);
      await report({ total, done: this.#done, failed: this.#failed });
    }
  }

  /** The final progress. Images that were deleted before their page was written are not part of the total. */
  last(): JobProgress {
    return { total: this.#done + this.#failed, done: this.#done, failed: this.#failed };
  }
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Ends the item. If that fails, because another process has taken the item over, the file is deleted. */
async function endWith(
  { media }: ExportJobDeps,
  { end }: JobTools,
  { key, progress }: { readonly key: string; readonly progress: JobProgress },
): Promise<void> {
  try {
    await end({ progress, resultsKey: key });
  } catch (error) {
    // After an error with an unknown outcome the file is kept, because the job may have ended with it as its result.
    if (isRolledBack(error)) await discardFiles(media, [key]);
    throw error;
  }
}
