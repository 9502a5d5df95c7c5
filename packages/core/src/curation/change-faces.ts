import type { Transaction } from '../database/database.ts';
import { detectionLabeled } from '../events/detection-events.ts';
import type { DomainEvent } from '../events/domain-event.ts';
import { coverCleared, embeddingAdded, embeddingRemoved } from '../events/identity-events.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { ReferenceLink } from '../references/reference.ts';
import { type FaceChange, isDecided } from './face-action.ts';

export interface PlannedChange {
  readonly face: FaceRecord;
  readonly change: FaceChange;
}

export interface ChangedFace {
  /** The references that the face got. */
  readonly added: readonly ReferenceLink[];
  /** The events of the change, which the caller emits. */
  readonly events: readonly DomainEvent[];
}

/**
 * Carries out changes of distinct faces with one statement of each kind. The results are in the order of the changes.
 * The transaction must have locked the images, the detections, and all identities that the changes concern.
 */
export async function changeFaces(
  tx: Transaction,
  planned: readonly PlannedChange[],
): Promise<readonly ChangedFace[]> {
  // The statements are sent together to save round trips.
  const [added, uncovered] = await Promise.all([
    exchangeReferences(tx, planned),
    clearCovers(tx, planned),
    writeRows(tx, planned),
    writeRejections(tx, planned),
  ]);
  return planned.map((one) => {
    const { id } = one.face.detection;
    const own = added.filter(({ detectionId }) => detectionId === id);
    return { added: own, events: eventsOf(one, own, uncovered.has(id)) };
  });
}

function eventsOf(
  { face: { detection, source }, change }: PlannedChange,
  added: readonly ReferenceLink[],
  isUncovered: boolean,
): readonly DomainEvent[] {
  const { identityId } = change.row;
  const labeled = { ...detection, identityId };
  const isMoved = identityId !== detection.identityId;
  return [
    ...(isMoved ? [detectionLabeled(labeled, source.externalRef)] : []),
    ...change.revokes.map(embeddingRemoved),
    ...added.map(embeddingAdded),
    ...(isUncovered ? [coverCleared(detection.identityId!)] : []),
  ];
}

async function exchangeReferences(
  tx: Transaction,
  planned: readonly PlannedChange[],
): Promise<readonly ReferenceLink[]> {
  const links = planned.flatMap(({ face, change: { row, enrollsFor } }) => {
    const { identityId } = row;
    if (identityId === null) return [];
    return enrollsFor.map((modelId) => ({ identityId, detectionId: face.detection.id, modelId }));
  });
  return tx.references.exchange(
    planned.flatMap(({ change }) => change.revokes),
    links,
  );
}

/**
 * Clears the covers of previous identities that the detections leave. Returns the ids of the detections that were
 * covers.
 */
async function clearCovers(
  tx: Transaction,
  planned: readonly PlannedChange[],
): Promise<ReadonlySet<number>> {
  const left = planned.flatMap(({ face: { detection }, change: { row } }) => {
    const { id, identityId } = detection;
    return identityId === null || identityId === row.identityId
      ? []
      : [{ identityId, detectionId: id }];
  });
  return new Set(await tx.identities.dropCovers(left));
}

async function writeRows(tx: Transaction, planned: readonly PlannedChange[]): Promise<void> {
  const decided = planned.flatMap(({ face: { detection }, change }) => {
    if (!isDecided(change, detection)) return [];
    const { identityId, similarity, reviewStatus, decidedBy, isDismissed } = change.row;
    const decision = { identityId, similarity, reviewStatus, decidedBy };
    return [{ detection, decision: { ...decision, keepsDismissal: isDismissed } }];
  });
  const idsOf = (isMarked: (one: PlannedChange) => boolean) =>
    planned.filter(isMarked).map(({ face }) => face.detection.id);
  await tx.detections.decide(decided);
  await tx.detections.dismiss(
    idsOf(({ face, change }) => change.row.isDismissed && face.detection.dismissedAt === null),
  );
  await tx.detections.dismissMismatches(
    idsOf(({ face, change }) => change.row.mismatchReviewed && !face.detection.mismatchReviewed),
  );
}

async function writeRejections(tx: Transaction, planned: readonly PlannedChange[]): Promise<void> {
  await tx.detections.reject(
    planned.flatMap(({ face, change: { rejects } }) =>
      rejects === null ? [] : [{ detectionId: face.detection.id, ...rejects }],
    ),
  );
  await tx.detections.forgetRejections(
    planned.flatMap(({ face, change: { forgets } }) =>
      forgets === null ? [] : [{ detectionId: face.detection.id, identityId: forgets }],
    ),
  );
}
