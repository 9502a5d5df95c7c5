import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { backgroundOf } from '../analysis/tenant.ts';
import { faceRegion } from '../analysis/scale-region.ts';
import { readStoredFile, scaleToFile } from '../analysis/stored-file.ts';
import { waitOutOverload } from '../analysis/wait-out-overload.ts';
import type { Database, Settle, Stores, Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import type { MediaStore } from '../media/media-store.ts';
import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import type { ChangeLog } from '../vectors/change-log.ts';
import { waitForIndex } from '../vectors/wait-for-index.ts';

export interface ReembedImageDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'open' | 'requireAnswer'>;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
  readonly changeLog: Pick<ChangeLog, 'backlog'>;
}

export interface ReembedRequest {
  readonly scope: Scope;
  readonly sourceImageId: number;
  /** The face model whose embeddings and references the image's faces get. */
  readonly model: RegisteredModel;
}

interface ImageToReembed {
  readonly scope: Scope;
  readonly source: SourceImage;
  readonly model: RegisteredModel;
}

/** The faces of an image that lack embeddings or references of a model, without those that the model cannot embed. */
interface FacesBehind {
  readonly withoutVector: readonly Detection[];
  /** The missing references: one for each face that has references, but none of the model. */
  readonly withoutReference: readonly Omit<ReferenceLink, 'id'>[];
}

/**
 * Embeds the faces of a stored image that lack embeddings of a face model, and marks those that the model cannot embed. A
 * face with references of other models also
 * gets a reference of this model. No event is emitted, because no face changes its identity. A deleted image is skipped.
 *
 * @throws ImageCorrupt, ImageTooLarge, UnsupportedFormat if the file cannot be read; InferenceUnavailable while no
 *   process has loaded the model; InferenceOverloaded after ten attempts; StoreUnavailable, also while a disk has only
 *   its reserve left; the signal's reason on abort
 */
export async function reembedImage(
  deps: ReembedImageDeps,
  { scope, sourceImageId, model }: ReembedRequest,
  { signal, settle }: { readonly signal: AbortSignal; readonly settle?: Settle<null> },
): Promise<void> {
  await waitForIndex(deps.changeLog, signal);
  // The media store also throws while its disk has only the reserve left. This stops the work, because new embeddings
  // need disk space of the database.
  await deps.media.requireAnswer(signal);
  const found = await deps.database.withScope(
    scope,
    async (stores) => {
      const source = await stores.sources.byId(sourceImageId);
      return source && { source, behind: await findBehind(stores, source, model) };
    },
    signal,
  );
  const image = found && { scope, source: found.source, model };
  const faces = found?.behind.withoutVector ?? [];
  const embeddings = image && (await embed(deps, { ...image, faces }, signal));
  await deps.database.withEntities(
    { ...scope, locks: found === null ? [] : locksOf(found.source, found.behind) },
    async (tx) => {
      if (image !== null) await write(tx, image, embeddings!);
      await settle?.(tx, null);
    },
    signal,
  );
}

interface EmbeddedFace {
  readonly detectionId: number;
  /** Null if the model cannot embed the face. */
  readonly vector: Float32Array | null;
}

async function findBehind(
  stores: Stores,
  source: SourceImage,
  model: RegisteredModel,
): Promise<FacesBehind> {
  const detections = await stores.detections.ofSource(source.id);
  const ids = detections.filter(({ type }) => type === 'face').map(({ id }) => id);
  const embedded = new Set(await stores.gallery.embedded(model.id, ids));
  const unembeddable = new Set(await stores.gallery.unembeddable(model.id, ids));
  const references = await stores.references.ofDetections(ids);
  const byFace = Map.groupBy(references, ({ detectionId }) => detectionId);
  return {
    withoutVector: detections.filter(
      ({ type, id }) => type === 'face' && !embedded.has(id) && !unembeddable.has(id),
    ),
    withoutReference: [...byFace.values()]
      .filter(([reference]) => !unembeddable.has(reference!.detectionId))
      .filter((own) => own.every(({ modelId }) => modelId !== model.id))
      .map(([reference]) => ({ ...reference!, modelId: model.id })),
  };
}

async function write(
  tx: Transaction,
  { source, model }: ImageToReembed,
  faces: readonly EmbeddedFace[],
): Promise<void> {
  // Another request may have deleted or completed faces since the image was read.
  const behind = await findBehind(tx, source, model);
  const missing = new Set(behind.withoutVector.map(({ id }) => id));
  const made = faces.filter(({ detectionId }) => missing.has(detectionId));
  const vectors = made.flatMap(({ detectionId, vector }) =>
    vector === null ? [] : [{ detectionId, vector }],
  );
  const failed = made.filter(({ vector }) => vector === null).map(({ detectionId }) => detectionId);
  tx.require(...locksOf(source, behind));
  if (vectors.length > 0) await tx.detections.addEmbeddings(model.id, vectors);
  if (failed.length > 0) {
    await tx.detections.markUnembeddable(model.id, failed, 'implausible_landmarks');
  }
  for (const { detectionId } of vectors) missing.delete(detectionId);
  const references = behind.withoutReference.filter(({ detectionId }) => !missing.has(detectionId));
  if (references.length > 0) await tx.references.enroll(references);
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

async function embed(
  deps: ReembedImageDeps,
  image: ImageToReembed & { readonly faces: readonly Detection[] },
  signal: AbortSignal,
): Promise<readonly EmbeddedFace[]> {
  const { source, model, faces } = image;
  if (faces.length === 0) return [];
  const regions = faces.map((face) => faceRegion(face, scaleToFile(source)));
  const tenant = backgroundOf(image.scope);
  const found = await waitOutOverload(async () => {
    deps.analyzer.requireRoom(tenant);
    const file = await readStoredFile(deps.media, source, signal);
    const models = { face: model.revision };
    const request = { image: file, faceRegions: regions, tenant, models };
    return (await deps.analyzer.analyze(request, signal)).faceRegions;
  }, signal);
  const answered = found && (await deps.models.of(found.model));
  if (answered?.id !== model.id) {
    throw new InferenceUnavailable('A face model other than the requested one served the request.');
  }
  return found!.items.map(({ embedding }, i) => ({
    detectionId: faces[i]!.id,
    vector: embedding,
  }));
}
