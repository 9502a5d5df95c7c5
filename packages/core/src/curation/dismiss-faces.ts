import type { Database, Settle, Transaction } from '../database/database.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import { auditedAction, planFaceAction } from './face-action.ts';
import { imageLock } from './face-task.ts';

export interface DismissRequest {
  readonly scope: Scope;
  readonly ids: readonly number[];
  /** `dismiss` removes the faces from the review queue, `dismissMismatch` from the list of mismatches. */
  readonly action: 'dismiss' | 'dismissMismatch';
}

/**
 * Dismisses faces in one transaction. Objects and unknown ids are ignored. Returns how many of the ids are faces,
 * including faces that were dismissed before. Emits no events.
 *
 * @throws StoreUnavailable
 */
export async function dismissFaces(
  deps: { readonly database: Database },
  { scope, ids, action }: DismissRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<number> } = {},
): Promise<number> {
  return deps.database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const dismissed = await dismissIn(tx, ids, action);
      await options.settle?.(tx, dismissed);
      return dismissed;
    },
    options.signal,
  );
}

/** Dismisses faces as a part of a transaction. Returns how many of the ids are faces. */
export async function dismissIn(
  tx: Transaction,
  ids: readonly number[],
  action: DismissRequest['action'],
): Promise<number> {
  const found = await tx.faceRecords.byIds(ids, null);
  const faces = found.filter(({ detection }) => detection.type === 'face');
  tx.require(...faces.map(imageLock));
  await dismiss(tx, faces, action);
  const dismissed = faces.map(({ detection }) => detection.id);
  if (dismissed.length > 0) {
    await tx.audit({ entity: 'detection', action: auditedAction(action), ids: dismissed });
  }
  return faces.length;
}

async function dismiss(
  tx: Transaction,
  faces: readonly FaceRecord[],
  action: DismissRequest['action'],
): Promise<void> {
  const plans = faces.map(
    (face) => [face.detection, planFaceAction(action, { ...face, modelId: null }).row] as const,
  );
  const dismissed = plans.filter(([face, row]) => row.isDismissed && face.dismissedAt === null);
  const reviewed = plans.filter(([face, row]) => row.mismatchReviewed && !face.mismatchReviewed);
  const [queued, mismatched] = [dismissed, reviewed].map((some) => some.map(([{ id }]) => id));
  tx.require(...faces.map(({ detection: { id } }): EntityLock => ({ entity: 'detection', id })));
  await tx.detections.dismiss(queued!);
  await tx.detections.dismissMismatches(mismatched!);
}
