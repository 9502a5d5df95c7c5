import type { Database, Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import { detectionLabeled } from '../events/detection-events.ts';
import {
  coverCleared,
  embeddingAdded,
  embeddingRemoved,
  identityCreated,
} from '../events/identity-events.ts';
import type { Identity } from '../identities/identity.ts';
import { TypeMismatch } from '../identities/identity-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelStore } from '../models/model-store.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

/** An identity by its label, created if need be, or by its id. */
export type LabelTarget = { readonly label: string } | { readonly identityId: number };

export interface LabelRequest {
  readonly scope: Scope;
  readonly id: number;
  readonly target: LabelTarget;
}

export interface LabeledDetection {
  readonly detection: Detection;
  /** Whether the face is a reference of its identity for the active model. */
  readonly enrolled: boolean;
}

/**
 * Confirms a detection as an identity, whatever it was before, and enrolls a face that has an
 * embedding. Repeating the call changes nothing.
 *
 * @throws NotFound for the detection or the identity; InvalidLabel, TypeMismatch, StoreUnavailable
 */
export async function labelDetection(
  deps: { readonly database: Database; readonly models: Pick<ModelStore, 'active'> },
  request: LabelRequest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<LabeledDetection> {
  const target = 'label' in request.target ? normalized(request.target.label) : request.target;
  const label = () => labelForActive(deps, { ...request, target }, options);
  // Another model may become active in between, once.
  return label().catch((error: unknown) => {
    if (error instanceof InferenceUnavailable) return label();
    throw error;
  });
}

async function labelForActive(
  deps: { readonly database: Database; readonly models: Pick<ModelStore, 'active'> },
  { scope, id, target }: LabelRequest,
  options: { readonly signal?: AbortSignal },
): Promise<LabeledDetection> {
  const active = await deps.models.active(options.signal);
  const modelId = active.find(({ task }) => task === 'face')?.id ?? null;
  const locks: readonly EntityLock[] = modelId === null ? [] : [{ entity: 'model', id: modelId }];
  return deps.database.withEntities(
    { ...scope, locks },
    async (tx) => {
      const requiring = modelId === null ? null : tx.requireActive(modelId);
      const [{ detection, source }] = await Promise.all([findLocked(tx, id), requiring]);
      const references = await tx.references.ofDetections([id]);
      const known = await findTarget(tx, detection, target);
      tx.require(...locksOf({ detection, references, known, target }));

      const identity = known ?? (await createTarget(tx, detection, target));
      const modelIds = await modelsToEnroll(tx, { detection, references, modelId });
      const enrolled = modelId !== null && modelIds.includes(modelId);
      await confirm(tx, { detection, source, identity, references, modelIds });
      if (modelId !== null) {
        await tx.suggestions.replace(modelId, [{ detectionId: id, candidates: [] }]);
      }
      return { detection: (await tx.detections.byId(id))!, enrolled };
    },
    options.signal,
  );
}

function normalized(label: string): LabelTarget {
  return { label: normalizeLabel(label) };
}

/** Locks the image, which serializes all writers of its detections. */
async function findLocked(
  tx: Transaction,
  id: number,
): Promise<{ readonly detection: Detection; readonly source: SourceImage }> {
  const detection = await tx.detections.byId(id);
  const source = detection && (await tx.sources.byId(detection.sourceImageId));
  // Another request may have removed the image with its last detection between the two reads.
  if (detection === null || source === null) throw new NotFound('detection', id);
  tx.require({ entity: 'source', digest: source.digest });
  return { detection, source };
}

/** Null: no identity has the label yet. */
async function findTarget(
  tx: Transaction,
  detection: Detection,
  target: LabelTarget,
): Promise<Identity | null> {
  if ('label' in target) {
    const [identity] = await tx.identities.byLabels(detection.type, [target.label]);
    return identity ?? null;
  }
  const identity = await tx.identities.byId(target.identityId);
  if (identity === null) throw new NotFound('identity', target.identityId);
  if (identity.type !== detection.type) throw new TypeMismatch(detection.type, identity.type);
  return identity;
}

function locksOf(plan: {
  readonly detection: Detection;
  readonly references: readonly ReferenceLink[];
  readonly known: Identity | null;
  readonly target: LabelTarget;
}): EntityLock[] {
  const { detection, references, known, target } = plan;
  const identityIds = [
    known?.id ?? null,
    detection.identityId,
    ...references.map(({ identityId }) => identityId),
  ].filter((id) => id !== null);
  const locks: EntityLock[] = [
    ...identityIds.map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    { entity: 'detection', id: detection.id },
  ];
  return 'label' in target
    ? [...locks, { entity: 'label', type: detection.type, label: target.label }]
    : locks;
}

async function createTarget(
  tx: Transaction,
  { type }: Detection,
  target: LabelTarget,
): Promise<Identity> {
  if (!('label' in target)) throw new NotFound('identity', target.identityId);
  const [identity] = await tx.identities.insert([{ type, label: target.label, externalRef: null }]);
  await tx.emit(identityCreated(identity!));
  return identity!;
}

/**
 * The models for which the face becomes a reference: those for which it was one, so that returning to
 * such a model does not lose it, and the active one if the face has an embedding of that model.
 */
async function modelsToEnroll(
  tx: Transaction,
  face: {
    readonly detection: Detection;
    readonly references: readonly ReferenceLink[];
    readonly modelId: number | null;
  },
): Promise<readonly number[]> {
  const { detection, references, modelId } = face;
  const modelIds = references.map((reference) => reference.modelId);
  if (modelId === null || modelIds.includes(modelId)) return modelIds;
  const embeddings = await tx.gallery.embeddings(modelId, [detection.id]);
  return embeddings.length > 0 ? [...modelIds, modelId] : modelIds;
}

async function confirm(
  tx: Transaction,
  change: {
    readonly detection: Detection;
    readonly source: SourceImage;
    readonly identity: Identity;
    readonly references: readonly ReferenceLink[];
    readonly modelIds: readonly number[];
  },
): Promise<void> {
  const { detection, source, identity, references, modelIds } = change;
  const changes = detection.identityId !== identity.id;
  const gone = references.filter(({ identityId }) => identityId !== identity.id);
  const kept = new Set(
    references.filter((reference) => !gone.includes(reference)).map(({ modelId }) => modelId),
  );

  await tx.detections.forgetRejection({ detectionId: detection.id, identityId: identity.id });
  await tx.detections.decide(detection, {
    identityId: identity.id,
    similarity: changes ? null : detection.similarity,
    reviewStatus: 'confirmed',
    decidedBy: 'human',
  });
  if (changes) {
    const labeled = { ...detection, identityId: identity.id };
    await tx.emit(detectionLabeled(labeled, source.externalRef));
  }
  await tx.references.revoke(gone);
  await tx.emit(...gone.map(embeddingRemoved));
  const added = await tx.references.enroll(
    modelIds
      .filter((modelId) => !kept.has(modelId))
      .map((modelId) => ({ identityId: identity.id, detectionId: detection.id, modelId })),
  );
  await tx.emit(...added.map(embeddingAdded));
  if (changes && detection.identityId !== null) await clearCover(tx, detection);
}

/** If the detection is the cover of the identity that it leaves. */
async function clearCover(tx: Transaction, { id, identityId }: Detection): Promise<void> {
  const left = await tx.identities.byId(identityId!);
  if (left?.coverDetectionId !== id) return;
  await tx.identities.setCover(left.id, null);
  await tx.emit(coverCleared(left.id));
}
