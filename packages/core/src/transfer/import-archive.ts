import { loadSettings } from '../database/load-settings.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { Settle, Transaction } from '../database/database.ts';
import type { JobProgress } from '../jobs/job.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore } from '../models/model-store.ts';
import { importImage } from '../recognition/import-image.ts';
import type { StorePlanDeps } from '../recognition/store-plan.ts';
import { bringUpToActiveModel } from '../reembedding/bring-up-to-active-model.ts';
import type { Scope } from '../store/scope.ts';
import { ArchiveInvalid, ArchiveTooLarge } from './archive-errors.ts';
import type { LocalFile } from '../media/local-file.ts';
import type { ArchiveReader, ReadableArchive } from './archive-reader.ts';
import { forEachAtATime } from '../analysis/for-each-at-a-time.ts';
import { ImportReembedder } from './import-reembedder.ts';
import { type ImportCounts, ImportTally } from './import-counts.ts';
import { importIdentities } from './import-identities.ts';

export interface ImportArchiveDeps extends StorePlanDeps {
  readonly archives: ArchiveReader;
  readonly modelStore: Pick<ModelStore, 'active' | 'adopt' | 'bringUp'>;
}

export interface ImportRequest {
  readonly scope: Scope;
  readonly file: LocalFile;
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly settle?: Settle<ImportCounts> | undefined;
  /** Called in each transaction that stores something. An error ends the import. */
  readonly check?: ((tx: Transaction) => Promise<void>) | undefined;
  /** Called before the first and after each image. */
  readonly report?: ((progress: JobProgress) => Promise<void>) | undefined;
}

/** The number of images that are imported at the same time, so that some use the CPU while others wait for the disk. */
const IMAGES_AT_A_TIME = 4;

/**
 * Checks a whole archive and adds its content to an environment. First, each image is added in a transaction; then the
 * identities that no image mentions. Existing rows are kept, so that an interrupted import can be repeated: images are the
 * same if their bytes are, identities if type and label are, and detections if their boxes overlap enough.
 *
 * @throws NotAnArchive, ArchiveInvalid, ArchiveTooLarge before anything is stored; StoreUnavailable; the
 *   errors of the file
 */
export async function importArchive(
  deps: ImportArchiveDeps,
  request: ImportRequest,
  options: ImportOptions = {},
): Promise<ImportCounts> {
  const { scope } = request;
  const { signal, check, settle, report } = options;
  const archive = await openArchive(deps, request, signal);
  const modelIds = await adoptModels(deps.modelStore, archive);
  const tally = new ImportTally(archive);
  await report?.(tally.progress);
  const active = await activeFaceModel(deps.modelStore, signal);
  const reembedder = new ImportReembedder(deps, scope, active?.id ?? null);
  try {
    await forEachAtATime(IMAGES_AT_A_TIME, archive.images(modelIds), async (image) => {
      signal?.throwIfAborted();
      tally.addImage(await importImage(deps, { scope, image }, { signal, check }));
      await reembedder.stored(image, signal);
      await report?.(tally.progress);
    });
  } catch (error) {
    // The import failed, but some of its faces are stored and need vectors of the active model. Their jobs are
    // created now, because the client may never repeat the import.
    if (tally.counts.detectionsCreated > 0) {
      await bringUpToActiveModel(deps.modelStore, scope).catch(() => undefined);
    }
    throw error;
  }
  tally.addIdentities(await importIdentities(deps.database, { scope, archive }, { signal, check }));
  await bringUpToActiveModel(deps.modelStore, scope, signal);
  const result = tally.counts;
  await settleAlone(deps.database, { scope, result }, { settle, ...(signal && { signal }) });
  return result;
}

/**
 * Checks an archive as a whole.
 *
 * @throws NotAnArchive, ArchiveInvalid, ArchiveTooLarge; StoreUnavailable; the errors of the file
 */
export async function openArchive(
  { database, archives }: Pick<ImportArchiveDeps, 'database' | 'archives'>,
  { scope, file }: ImportRequest,
  signal?: AbortSignal,
): Promise<ReadableArchive> {
  const { importMaxBytes } = await loadSettings(database, scope, signal);
  if (file.size > importMaxBytes) throw new ArchiveTooLarge(importMaxBytes);
  return archives.open(file, importMaxBytes, signal);
}

/** @returns the ids of the models in the database, by their ids in the archive */
async function adoptModels(
  models: Pick<ModelStore, 'adopt'>,
  archive: ReadableArchive,
): Promise<ReadonlyMap<number, number>> {
  const ids = await models.adopt(archive.models);
  if (ids !== null) return new Map(archive.models.map(({ id }, i) => [id, ids[i]!]));
  throw new ArchiveInvalid(null, 'has vectors with another length than those of their model');
}
