import type { Database, Settle, Transaction } from '../database/database.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import { planFaceAction } from './face-action.ts';
import { imageLock } from './face-task.ts';
import { readFaces, type StoredFace } from './read-faces.ts';

export interface DismissRequest {
  readonly scope: Scope;
  readonly ids: readonly number[];
  /** From the review queue, or from the list of mismatches. */
  readonly action: 'dismiss' | 'dismissMismatch';
}

/**
 * Dismisses faces in one transaction; objects and unknown ids are passed over. Answers how many faces
 * are among the ids, those that were dismissed before too. Makes no events.
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
      const sources = await tx.sources.ofDetections(ids);
      tx.require(...sources.map((source) => imageLock({ source })));
      const found = await readFaces(tx, ids, null);
      const faces = [...found.values()].filter(({ detection }) => detection.type === 'face');
      await dismiss(tx, faces, action);
      await options.settle?.(tx, faces.length);
      return faces.length;
    },
    options.signal,
  );
}

async function dismiss(
  tx: Transaction,
  faces: readonly StoredFace[],
  action: DismissRequest['action'],
): Promise<void> {
  const plans = faces.map((face) => [face.detection, planFaceAction(action, face).row] as const);
  const dismissed = plans.filter(([face, row]) => row.isDismissed && face.dismissedAt === null);
  const reviewed = plans.filter(([face, row]) => row.mismatchReviewed && !face.mismatchReviewed);
  const [queued, mismatched] = [dismissed, reviewed].map((some) => some.map(([{ id }]) => id));
  tx.require(...faces.map(({ detection: { id } }): EntityLock => ({ entity: 'detection', id })));
  await tx.detections.dismiss(queued!);
  await tx.detections.dismissMismatches(mismatched!);
}
