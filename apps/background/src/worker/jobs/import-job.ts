import { zipArchiveReaderIn } from '@sightline/archive-zip/reading/open-archive';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import type { JobProgress } from '@sightline/core/jobs/job';
import type { JobWork } from '@sightline/core/jobs/job-work';
import type { LocalFile } from '@sightline/core/media/local-file';
import type { MediaStore } from '@sightline/core/media/media-store';
import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import {
  IMPORT_BYTES,
  importArchive,
  type ImportArchiveDeps,
} from '@sightline/core/transfer/import-archive';
import type { Spool } from '@sightline/platform/http/spool';
import type { SpoolFile } from '@sightline/platform/http/spool-file';
import { presentImportCounts } from '@sightline/presentation/present-import-counts';
import type { ImportMemory } from './import-memory.ts';
import { inSpool } from './in-spool.ts';

export interface ImportJobDeps extends Omit<ImportArchiveDeps, 'archives'> {
  readonly media: MediaStore;
  /** Stores a copy of the archive while the job reads it. */
  readonly spool: Pick<Spool, 'open'>;
  /** The memory that all imports of this process share. */
  readonly memory: ImportMemory;
}

/**
 * Imports the uploaded archive of the item. A process that takes the item over restarts the import, and skips images
 * that are already stored.
 */
export function importJob(deps: ImportJobDeps): JobWork<'import'> {
  return async ({ claim, uploadKey }, tools) => {
    const { environmentId } = claim;
    const holder = backgroundOf({ environmentId });
    using memory = deps.memory.open();
    memory.reserve(IMPORT_BYTES);
    await using spooled = await inSpool(() => deps.spool.open(holder));
    const file = await copyUpload(deps.media, { key: uploadKey!, spooled }, tools.signal);
    let last: JobProgress = { total: 0, done: 0, failed: 0 };
    await importArchive(
      { ...deps, archives: zipArchiveReaderIn((bytes) => memory.reserve(bytes)) },
      { scope: { environmentId }, file },
      {
        signal: tools.signal,
        check: tools.check,
        report: (progress) => {
          last = progress;
          return tools.report(progress);
        },
        settle: tools.settle((counts) => ({
          result: presentImportCounts(counts),
          progress: last,
        })),
      },
    );
  };
}

interface Upload {
  readonly key: string;
  readonly spooled: SpoolFile;
}

/**
 * Copies the archive to the spool.
 *
 * @throws ArchiveInvalid if the upload was deleted; StoreUnavailable
 */
async function copyUpload(
  media: MediaStore,
  { key, spooled }: Upload,
  signal: AbortSignal,
): Promise<LocalFile> {
  const object = await media.open(key, undefined, signal);
  if (object === null) throw new ArchiveInvalid(null, 'is not stored anymore');
  const { size } = await inSpool(() => spooled.append(object.body));
  return { size, read: spooled.read.bind(spooled) };
}
