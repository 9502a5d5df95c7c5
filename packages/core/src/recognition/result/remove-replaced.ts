import type { Transaction } from '../../database/database.ts';
import type { Detection } from '../../detections/detection.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { RowsPlan } from '../plan/image-plan.ts';
import type { PlannableState } from '../state/image-state.ts';

/** Detections that a run removes, and what has to be removed before them. */
export interface Removal {
  readonly detections: readonly Detection[];
  readonly references: readonly ReferenceLink[];
  /** The identities that lose their cover. */
  readonly uncovered: readonly number[];
}

export interface SplitRemoval {
  /** The detections that the service found, and everything that the run removes from other detections. */
  readonly plain: Removal;
  /** The detections about which people decided. */
  readonly decided: Removal;
}

/** Separates the removed detections about which people decided, because an operation keeps them. */
export function splitRemoval({ state, removed, revoked, uncovered }: RowsPlan): SplitRemoval {
  const decided = removed.filter((detection) => isDecided(detection, state));
  const ids = new Set(decided.map(({ id }) => id));
  const isOfDecided = (id: number | null) => id !== null && ids.has(id);
  const coverOf = (id: number) => state.identities.get(id)?.coverDetectionId ?? null;
  return {
    plain: {
      detections: removed.filter(({ id }) => !ids.has(id)),
      references: revoked.filter(({ detectionId }) => !ids.has(detectionId)),
      uncovered: uncovered.filter((id) => !isOfDecided(coverOf(id))),
    },
    decided: {
      detections: decided,
      references: revoked.filter(({ detectionId }) => ids.has(detectionId)),
      uncovered: uncovered.filter((id) => isOfDecided(coverOf(id))),
    },
  };
}

function isDecided(
  { id, decidedBy, isManual, dismissedAt }: Detection,
  { references, rejections }: PlannableState,
): boolean {
  return (
    decidedBy === 'human' ||
    isManual ||
    dismissedAt !== null ||
    rejections.has(id) ||
    references.some(({ detectionId }) => detectionId === id)
  );
}

/** Removes what refers to detections that the run removes or changes. */
export async function forget(
  tx: Transaction,
  { references, uncovered }: Omit<Removal, 'detections'>,
): Promise<void> {
  if (references.length > 0) await tx.references.revoke(references);
  for (const id of uncovered) await tx.identities.setCover(id, null);
}

/**
 * Deletes the detections that a run replaces, after new detections have inherited the rejections of those that they
 * replace. The ones about which people decided belong to the operation of the scope.
 *
 * @returns the keys of the files to delete after the commit, and the operation
 */
export async function removeReplaced(
  tx: Transaction,
  { faces }: RowsPlan,
  { plain, decided, faceIds }: SplitRemoval & { readonly faceIds: readonly number[] },
): Promise<{ readonly removedFiles: readonly string[]; readonly operationId: number | null }> {
  const replacements = faces.flatMap(({ replaces }, i) =>
    replaces === null ? [] : [{ from: replaces.id, to: faceIds[i]! }],
  );
  if (replacements.length > 0) await tx.detections.inheritRejections(replacements);
  const { detections } = plain;
  const removedFiles = detections.map(({ cropKey }) => cropKey);
  if (detections.length > 0) removedFiles.push(...(await tx.detections.delete(detections)));
  if (decided.detections.length === 0) return { removedFiles, operationId: null };
  const operationId = await tx.record(async () => {
    await forget(tx, decided);
    removedFiles.push(...(await tx.detections.delete(decided.detections)));
  });
  const crops = decided.detections.map(({ cropKey }) => cropKey);
  removedFiles.push(...(await tx.operations.discardable(crops)));
  return { removedFiles, operationId };
}
