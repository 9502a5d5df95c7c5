import { normalizeLabel } from '../identities/label.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import { type FaceAction, lastRejectedFrom } from './face-action.ts';

/** An identity, named by label or by id. An unknown label creates an identity. */
export type LabelTarget = { readonly label: string } | { readonly identityId: number };

/** The detection on which a person acts. */
export interface FaceTask {
  readonly id: number;
  /** The identity to assign; null for actions that assign none. */
  readonly target: LabelTarget | null;
}

/**
 * Returns the target with its label in the stored form.
 *
 * @throws InvalidLabel
 */
export function normalizedTarget(target: LabelTarget): LabelTarget {
  return 'label' in target ? { label: normalizeLabel(target.label) } : target;
}

/** Returns the lock of a face's image, which serializes all writers of the image's detections. */
export function imageLock({ source }: Pick<FaceRecord, 'source'>): EntityLock {
  return { entity: 'source', digest: source.digest };
}

/** The rows of a task, which decide which locks its transaction needs. */
export interface TaskRows {
  readonly face: FaceRecord;
  /** The id of the identity that the task names; null if it names none, or if the identity does not exist yet. */
  readonly targetId: number | null;
}

/** Returns the locks of a task, without those of the image and the model. */
export function locksOfTask(
  action: FaceAction,
  { id, target }: FaceTask,
  { face, targetId }: TaskRows,
): readonly EntityLock[] {
  const { type, identityId } = face.detection;
  const changed = new Set([targetId, identityId, ...face.references.map((r) => r.identityId)]);
  const joined = action === 'restore' ? lastRejectedFrom(face) : null;
  const locks: EntityLock[] = [{ entity: 'detection', id }];
  for (const changedId of changed) {
    if (changedId !== null) locks.push({ entity: 'identity', id: changedId, mode: 'exclusive' });
  }
  if (joined !== null) locks.push({ entity: 'identity', id: joined, mode: 'shared' });
  if (target !== null && 'label' in target) {
    locks.push({ entity: 'label', type, label: target.label });
  }
  return locks;
}
