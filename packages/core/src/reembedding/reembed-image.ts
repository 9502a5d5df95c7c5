import { setTimeout } from 'node:timers/promises';
import type { FaceRegion, ImageAnalysis, ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { backgroundOf, type Tenant } from '../analysis/tenant.ts';
import { scaleRegion } from '../analysis/scale-region.ts';
import type { Database, Stores, Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import type { FaceEmbedding } from '../detections/detection-store.ts';
import { embeddingAdded } from '../events/identity-events.ts';
import type { MediaStore } from '../media/media-store.ts';
import { InferenceOverloaded, InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { ReferenceLink } from '../references/reference.ts';
import { ImageCorrupt, ImageTooLarge, UnsupportedFormat } from '../sources/image-errors.ts';
import type { SourceImage } from '../sources/source-image.ts';
import { readStoredFile, scaleToFile } from '../analysis/stored-file.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';

export interface ReembedImageDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'open'>;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

interface ImageToReembed {
  readonly scope: Scope;
  readonly source: SourceImage;
  readonly model: RegisteredModel;
}

/** The faces of an image that are behind a model. */
interface FacesBehind {
  readonly withoutVector: readonly Detection[];
  /** Faces whose references are all of other models, with the identities of those references. */
  readonly withoutReference: readonly Omit<ReferenceLink, 'id'>[];
}

/**
 * Adds the missing vectors and references of a model to the faces of one image. False: the file cannot
 * be read.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function reembedImage(
  deps: ReembedImageDeps,
  image: ImageToReembed,
  signal: AbortSignal,
): Promise<boolean> {
  const { scope, source, model } = image;
  const behind = await deps.database.withScope(
    scope,
    (stores) => findBehind(stores, source, model),
    signal,
  );
  const embeddings = await embed(deps, { ...image, faces: behind.withoutVector }, signal);
  if (embeddings === null) return false;
  await deps.database.withEntities(
    { ...scope, locks: locksOf(source, behind) },
    (tx) => write(tx, image, embeddings),
    signal,
  );
  return true;
}

async function findBehind(
  stores: Stores,
  source: SourceImage,
  model: RegisteredModel,
): Promise<FacesBehind> {
  const detections = await stores.detections.ofSource(source.id);
  const ids = detections.filter(({ type }) => type === 'face').map(({ id }) => id);
  const embedded = new Set(await stores.gallery.embedded(model.id, ids));
  const references = await stores.references.ofDetections(ids);
  const byFace = Map.groupBy(references, ({ detectionId }) => detectionId);
  return {
    withoutVector: detections.filter(({ type, id }) => type === 'face' && !embedded.has(id)),
    withoutReference: [...byFace.values()]
      .filter((own) => own.every(({ modelId }) => modelId !== model.id))
      .map(([reference]) => ({ ...reference!, modelId: model.id })),
  };
}

async function write(
  tx: Transaction,
  { source, model }: ImageToReembed,
  embeddings: readonly FaceEmbedding[],
): Promise<void> {
  // Another request may have deleted or completed faces since the image was read.
  const behind = await findBehind(tx, source, model);
  const wanted = new Set(behind.withoutVector.map(({ id }) => id));
  const made = embeddings.filter(({ detectionId }) => wanted.has(detectionId));
  tx.require(...locksOf(source, behind));
  if (made.length > 0) await tx.detections.addEmbeddings(model.id, made);
  for (const { detectionId } of made) wanted.delete(detectionId);
  const references = behind.withoutReference.filter(({ detectionId }) => !wanted.has(detectionId));
  if (references.length === 0) return;
  await tx.emit(...(await tx.references.enroll(references)).map(embeddingAdded));
}

function locksOf(
  { digest }: SourceImage,
  { withoutVector, withoutReference }: FacesBehind,
): readonly EntityLock[] {
  const identityIds = new Set(withoutReference.map(({ identityId }) => identityId));
  const detectionIds = new Set([
    ...withoutVector.map(({ id }) => id),
    ...withoutReference.map(({ detectionId }) => detectionId),
  ]);
  return [
    { entity: 'source', digest },
    ...[...identityIds].map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    ...[...detectionIds].map((id): EntityLock => ({ entity: 'detection', id })),
  ];
}

/** Null: the file cannot be read. */
async function embed(
  deps: ReembedImageDeps,
  image: ImageToReembed & { readonly faces: readonly Detection[] },
  signal: AbortSignal,
): Promise<readonly FaceEmbedding[] | null> {
  const { source, model, faces } = image;
  if (faces.length === 0) return [];
  const regions = faces.map((face) => scaleRegion(face, scaleToFile(source)));
  try {
    const read = () => readStoredFile(deps.media, source, signal);
    const tenant = backgroundOf(image.scope);
    const found = await analyzePatiently(deps.analyzer, { read, regions, tenant }, signal);
    const answered = found && (await deps.models.of(found.model));
    if (answered?.id !== model.id) {
      throw new InferenceUnavailable('The face model has changed.');
    }
    return found!.items.map(({ embedding }, i) => ({
      detectionId: faces[i]!.id,
      vector: embedding,
    }));
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

interface PatientRequest {
  readonly read: () => Promise<Uint8Array>;
  readonly regions: readonly FaceRegion[];
  readonly tenant: Tenant;
}

/** Retries while inference is overloaded: background work can wait. */
async function analyzePatiently(
  analyzer: ImageAnalyzer,
  { read, regions, tenant }: PatientRequest,
  signal: AbortSignal,
): Promise<ImageAnalysis['faceRegions']> {
  for (;;) {
    try {
      analyzer.requireRoom(tenant);
      const request = { image: await read(), faceRegions: regions, tenant };
      return (await analyzer.analyze(request, signal)).faceRegions;
    } catch (error) {
      if (!(error instanceof InferenceOverloaded)) throw error;
      await setTimeout(error.retryAfterSeconds * 1000, undefined, { signal });
    }
  }
}

function isUnreadable(error: unknown): boolean {
  return (
    error instanceof ImageCorrupt ||
    error instanceof ImageTooLarge ||
    error instanceof UnsupportedFormat
  );
}
