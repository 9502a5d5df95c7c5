import { loadSettings } from '../database/load-settings.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { Settle, Transaction } from '../database/database.ts';
import type { JobProgress } from '../jobs/job.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore } from '../models/model-store.ts';
import { ForeignModelDeleted } from '../models/model-errors.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import { importImage } from '../recognition/import-image.ts';
import type { StorePlanDeps } from '../recognition/store-plan.ts';
import { backfillActiveModel } from '../reembedding/backfill-active-model.ts';
import type { Scope } from '../store/scope.ts';
import { ArchiveInvalid, ArchiveTooLarge } from './archive-errors.ts';
import type { LocalFile } from '../media/local-file.ts';
import type { ArchiveReader, ReadableArchive } from './archive-reader.ts';
import { ByteGate } from '../concurrency/byte-gate.ts';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts';
import { ImportReembedder } from './import-reembedder.ts';
import { type ImportCounts, ImportTally } from './import-counts.ts';
import { ImportBatches } from './import-batches.ts';
import { importIdentities } from './import-identities.ts';
import { type LookedUpImage, lookUpImages } from './new-images.ts';

export interface ImportArchiveDeps extends StorePlanDeps {
  readonly archives: ArchiveReader;
  readonly modelStore: Pick<ModelStore, 'active' | 'adopt' | 'backfill'>;
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
  /** Called before the first image, and after each batch of images that is on the disk. */
  readonly report?: ((progress: JobProgress) => Promise<void>) | undefined;
}

/** The number of images that are imported at the same time, so that some use the CPU while others wait for the disk. */
export const IMAGES_AT_A_TIME = 8;

/**
 * The bytes of files that an import holds in memory at the same time. A file may be larger, and is then held alone. The
 * callers count this as memory.
 */
export const IMPORT_BYTES = 16 * 1024 ** 2;

/** The most models that an environment's archives brought and that the installation lacks. */
const MAX_FOREIGN_MODELS = 20;

const PROBLEMS = {
  contradicting: 'has vectors with another length than those of their model',
  too_many: `has vectors of models that are not installed here; an environment can have those of ${MAX_FOREIGN_MODELS} such models`,
} as const;

/** How often an image is retried after other callers deleted the last vector of one of its models. */
const MOST_ADOPTIONS = 3;

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
  let modelIds = await adoptModels(deps.modelStore, { scope, archive });
  // An import that runs as a job has no actor. It was recorded in the audit when the job was created.
  if (scope.actor !== undefined) {
    await deps.database.withEntities(
      { ...scope, locks: [] },
      (tx) => tx.audit({ entity: 'library', action: 'import', ids: [] }),
      signal,
    );
  }
  const tally = new ImportTally(archive);
  await report?.(tally.progress);
  const active = await activeFaceModel(deps.modelStore, signal);
  const reembedder = new ImportReembedder(deps, scope, active?.id ?? null);
  const batches = new ImportBatches(deps.database.deferred(), { tally, report });
  const storing = {
    ...deps,
    database: batches.writing(deps.database),
    fileMemory: new ByteGate(IMPORT_BYTES),
  };
  const store = async ({ archived, isNew }: LookedUpImage, adoptions = 0) => {
    const image = withModels(archived, modelIds);
    try {
      return {
        image,
        imported: await importImage(storing, { scope, image, isNew }, { signal, check }),
      };
    } catch (error) {
      if (!(error instanceof ForeignModelDeleted) || adoptions === MOST_ADOPTIONS) throw error;
      modelIds = await adoptModels(deps.modelStore, { scope, archive });
      return store({ archived, isNew }, adoptions + 1);
    }
  };
  try {
    const images = lookUpImages(deps.database, { scope, images: archive.images() }, signal);
    await forEachConcurrently(images, IMAGES_AT_A_TIME, async (lookedUp) => {
      signal?.throwIfAborted();
      const { imported, image } = await store(lookedUp);
      tally.addImage(imported);
      await reembedder.stored(image, signal);
      await batches.endIfFull();
    });
    await batches.end();
  } catch (error) {
    await batches.abandon();
    // The import failed, but some of its faces are stored and need vectors of the active model. Their jobs are
    // created now, because the client may never repeat the import.
    if (tally.counts.detectionsCreated > 0) {
      await backfillActiveModel(deps.modelStore, scope).catch(() => undefined);
    }
    throw error;
  }
  tally.addIdentities(await importIdentities(deps.database, { scope, archive }, { signal, check }));
  await backfillActiveModel(deps.modelStore, scope, signal);
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

/**
 * Inserts the models of an archive that this installation lacks.
 *
 * @returns the ids of the models in the database, by their ids in the archive
 * @throws ArchiveInvalid; StoreUnavailable
 */
export async function adoptModels(
  modelStore: Pick<ModelStore, 'adopt'>,
  { scope, archive }: { readonly scope: Scope; readonly archive: ReadableArchive },
): Promise<ReadonlyMap<number, number>> {
  const { models } = archive;
  const adopted = await modelStore.adopt(scope.environmentId, models, MAX_FOREIGN_MODELS);
  if (adopted.kind === 'adopted') return new Map(models.map(({ id }, i) => [id, adopted.ids[i]!]));
  throw new ArchiveInvalid(null, PROBLEMS[adopted.kind]);
}

/** Replaces the archive's ids of models by those of the database. */
function withModels(image: ImageToImport, modelIds: ReadonlyMap<number, number>): ImageToImport {
  const detections = image.detections.map((detection) => ({
    ...detection,
    vectors: detection.vectors.map((vector) => ({
      ...vector,
      modelId: modelIds.get(vector.modelId)!,
    })),
  }));
  return { ...image, detections };
}
