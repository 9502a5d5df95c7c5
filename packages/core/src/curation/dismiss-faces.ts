import type { Database, Settle, Transaction } from '../database/database.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import type { Condition } from './condition.ts';
import { auditedAction, planFaceAction } from './face-action.ts';
import { imageLock } from './face-task.ts';

export interface DismissRequest {
  readonly scope: Scope;
  readonly ids: readonly number[];
  /** `dismiss` removes the faces from the review queue, `dismissMismatch` from the list of mismatches. */
  readonly action: 'dismiss' | 'dismissMismatch';
  /** Faces that do not meet it are ignored. */
  readonly condition?: Condition | undefined;
}

/**
 * Dismisses faces in one transaction. Objects and unknown ids are ignored. Returns how many of the ids are faces,
 * including faces that were dismissed before. Emits no events.
 *
 * @throws StoreUnavailable
 */
export async function dismissFaces(
  deps: { readonly database: Database },
  { scope, ids, action, condition }: DismissRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<number> } = {},
): Promise<number> {
  return deps.database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const dismissed = await dismissIn(tx, { ids, action, condition });
      await options.settle?.(tx, dismissed);
      return dismissed;
    },
    options.signal,
  );
}

/** Dismisses faces as a part of a transaction. Returns how many of the ids are faces that meet the condition. */
export async function dismissIn(
  tx: Transaction,
  { ids, action, condition }: Omit<DismissRequest, 'scope'>,
): Promise<number> {
  const found = await tx.faceRecords.byIds(ids, null);
  const all = found.filter(({ detection }) => detection.type === 'face');
  tx.require(...all.map(imageLock));
  const meant = condition && new Set(await condition(tx, ids));
  const faces = meant === undefined ? all : all.filter((face) => meant.has(face.detection.id));
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
