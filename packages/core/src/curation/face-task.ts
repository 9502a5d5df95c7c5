import { normalizeLabel } from '../identities/label.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import { type FaceAction, lastRejectedFrom } from './face-action.ts';

/** An identity by its label, created if need be, or by its id. */
export type LabelTarget = { readonly label: string } | { readonly identityId: number };

/** A detection, and what is to be done with it. */
export interface FaceTask {
  readonly id: number;
  readonly action: FaceAction;
  /** The identity to assign; null for actions that assign none. */
  readonly target: LabelTarget | null;
}

/**
 * The target with its label in the form in which labels are stored.
 *
 * @throws InvalidLabel
 */
export function normalizedTarget(target: LabelTarget): LabelTarget {
  return 'label' in target ? { label: normalizeLabel(target.label) } : target;
}

/** The image of a face; its lock serializes all writers of the image's detections. */
export function imageLock({ source }: Pick<FaceRecord, 'source'>): EntityLock {
  return { entity: 'source', digest: source.digest };
}

/**
 * The locks of a task besides those of the image and the model.
 *
 * @param targetId the identity that the task names; null: it names none, or a new one
 */
export function locksOfTask(
  { id, action, target }: FaceTask,
  face: FaceRecord,
  targetId: number | null,
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
