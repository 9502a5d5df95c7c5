import type { Database, Settle, Transaction } from '../database/database.ts';
import type { DetectionType } from '../detection-type.ts';
import { identityCreated } from '../events/identity-events.ts';
import type { Identity } from '../identities/identity.ts';
import { requireAssignable } from '../identities/require-assignable.ts';
import type { DecidedDetection, FaceRecord } from '../references/face-record.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { changeFace } from './change-face.ts';
import type { ModelsToEnrollFor } from './enrollment-models.ts';
import type { ExpectedTask } from './expect-faces.ts';
import { type FaceRow, planFaceAction, requirePossible } from './face-action.ts';
import { type LabelTarget, type FaceTask, imageLock, locksOfTask } from './face-task.ts';

export interface CarryOutRequest extends ModelsToEnrollFor {
  readonly scope: Scope;
  readonly task: FaceTask;
  readonly expected: ExpectedTask;
}

export interface ActedFace {
  /** The detection before the task. */
  readonly detection: DecidedDetection;
  /** The fields of the detection that decisions change, with their values after the task. */
  readonly row: FaceRow;
  /** The identity that the task names; null if it names none. */
  readonly identity: Identity | null;
  /** The face's reference for the active model; null if the face has none, or the task adds none. */
  readonly reference: ReferenceLink | null;
  readonly revoked: readonly ReferenceLink[];
}

/**
 * Carries out a task in one transaction. The transaction takes the locks that `expected` suggests; if the rows have
 * changed and it needs other locks, it restarts.
 *
 * @throws NotFound for the detection or the identity; TypeMismatch; the errors of {@link planFaceAction};
 *   InferenceUnavailable if the model is not the active one anymore; StoreUnavailable
 */
export async function carryOutTask(
  database: Database,
  { scope, task, expected, modelId, pendingId }: CarryOutRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<ActedFace> } = {},
): Promise<ActedFace> {
  const { target } = task;
  const { type } = expected.face.detection;
  const image = imageLock(expected.face);
  const locks: EntityLock[] = [image, ...locksOfTask(task, expected.face, expected.targetId)];
  if (modelId !== null) locks.push({ entity: 'models' });
  return database.withEntities(
    { ...scope, locks },
    async (tx) => {
      tx.require(image);
      const [[face], known] = await Promise.all([
        tx.faceRecords.byIds([task.id], modelId),
        target && findTarget(tx, type, target),
        modelId === null ? null : tx.requireActive(modelId),
      ]);
      if (face === undefined) throw new NotFound('detection', task.id);
      requirePossible(task.action, face);
      if (target !== null) requireTarget(target, known, type);
      tx.require(...locksOfTask(task, face, known?.id ?? null));

      const identity = target && (known ?? (await createTarget(tx, type, target)));
      const acted = await act(tx, { task, face, identity, modelId, pendingId });
      await options.settle?.(tx, acted);
      return acted;
    },
    options.signal,
  );
}

async function findTarget(
  { identities }: Transaction,
  type: DetectionType,
  target: LabelTarget,
): Promise<Identity | null> {
  if ('identityId' in target) return identities.byId(target.identityId);
  const [identity] = await identities.byLabels(type, [target.label]);
  return identity ?? null;
}

function requireTarget(target: LabelTarget, known: Identity | null, type: DetectionType): void {
  if ('identityId' in target) requireAssignable(known, { id: target.identityId, type });
}

async function createTarget(
  tx: Transaction,
  type: DetectionType,
  target: LabelTarget,
): Promise<Identity> {
  if (!('label' in target)) throw new NotFound('identity', target.identityId);
  const [identity] = await tx.identities.insert([{ type, label: target.label, externalRef: null }]);
  await tx.emit(identityCreated(identity!));
  return identity!;
}

async function act(
  tx: Transaction,
  on: ModelsToEnrollFor & {
    readonly task: FaceTask;
    readonly face: FaceRecord;
    readonly identity: Identity | null;
  },
): Promise<ActedFace> {
  const { task, face, identity, modelId, pendingId } = on;
  const change = planFaceAction(task.action, { ...face, modelId }, identity?.id ?? null);
  const added = await changeFace(tx, face, change);
  if (pendingId !== null) await enrollForPending(tx, added, { modelId, pendingId });
  const kept = face.references.filter((reference) => !change.revokes.includes(reference));
  return {
    detection: face.detection,
    row: change.row,
    identity,
    reference: [...kept, ...added].find((reference) => reference.modelId === modelId) ?? null,
    revoked: change.revokes,
  };
}

/**
 * Also enrolls the face for the pending model if the face has that model's embedding, so that the activation can skip
 * the face. No event is emitted, because activations do not announce the references that they add, either.
 */
async function enrollForPending(
  tx: Transaction,
  added: readonly ReferenceLink[],
  { modelId, pendingId }: { readonly modelId: number | null; readonly pendingId: number },
): Promise<void> {
  const reference = added.find((one) => one.modelId === modelId);
  if (reference === undefined) return;
  const { detectionId, identityId } = reference;
  const [embedded] = await tx.gallery.embedded(pendingId, [detectionId]);
  if (embedded === undefined) return;
  await tx.references.enroll([{ detectionId, identityId, modelId: pendingId }]);
}
