import type { Transaction } from '../database/database.ts';
import { detectionLabeled } from '../events/detection-events.ts';
import type { DomainEvent } from '../events/domain-event.ts';
import { coverCleared, embeddingAdded, embeddingRemoved } from '../events/identity-events.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { ReferenceLink } from '../references/reference.ts';
import { type FaceChange, isDecided } from './face-action.ts';

/**
 * Carries out a change, and emits its events. Returns the added references. The transaction must have locked the image,
 * the detection, and all identities that the change concerns.
 */
export async function changeFace(
  tx: Transaction,
  face: FaceRecord,
  change: FaceChange,
): Promise<readonly ReferenceLink[]> {
  // The statements are sent together to save round trips, in an order in which references are revoked before others
  // are added.
  const [, added, isUncovered] = await Promise.all([
    tx.references.revoke(change.revokes),
    enroll(tx, face, change),
    clearCover(tx, face, change),
    writeRow(tx, face, change),
    writeRejections(tx, face, change),
  ]);
  await tx.emit(...eventsOf(face, change, { added, isUncovered }));
  return added;
}

function eventsOf(
  { detection, source }: FaceRecord,
  change: FaceChange,
  done: { readonly added: readonly ReferenceLink[]; readonly isUncovered: boolean },
): DomainEvent[] {
  const { identityId } = change.row;
  const labeled = { ...detection, identityId };
  const isMoved = identityId !== detection.identityId;
  return [
    ...(isMoved ? [detectionLabeled(labeled, source.externalRef)] : []),
    ...change.revokes.map(embeddingRemoved),
    ...done.added.map(embeddingAdded),
    ...(done.isUncovered ? [coverCleared(detection.identityId!)] : []),
  ];
}

async function enroll(
  tx: Transaction,
  { detection }: FaceRecord,
  { row, enrollsFor }: FaceChange,
): Promise<readonly ReferenceLink[]> {
  if (row.identityId === null) return [];
  const link = { identityId: row.identityId, detectionId: detection.id };
  return tx.references.enroll(enrollsFor.map((modelId) => ({ ...link, modelId })));
}

/**
 * Clears the cover of the detection's previous identity if the detection is that cover. Returns whether the cover was
 * cleared.
 */
async function clearCover(
  tx: Transaction,
  { detection: { id, identityId } }: FaceRecord,
  { row }: FaceChange,
): Promise<boolean> {
  if (identityId === null || identityId === row.identityId) return false;
  return tx.identities.dropCover(identityId, id);
}

async function writeRow(
  tx: Transaction,
  { detection }: FaceRecord,
  change: FaceChange,
): Promise<void> {
  const { id, dismissedAt, mismatchReviewed } = detection;
  const { row } = change;
  if (isDecided(change, detection)) {
    const { identityId, similarity, reviewStatus, decidedBy, isDismissed: keepsDismissal } = row;
    const decision = { identityId, similarity, reviewStatus, decidedBy, keepsDismissal };
    await tx.detections.decide(detection, decision);
  }
  if (row.isDismissed && dismissedAt === null) await tx.detections.dismiss([id]);
  if (row.mismatchReviewed && !mismatchReviewed) await tx.detections.dismissMismatches([id]);
}

async function writeRejections(
  tx: Transaction,
  { detection: { id: detectionId } }: FaceRecord,
  { forgets, rejects }: FaceChange,
): Promise<void> {
  if (rejects !== null) await tx.detections.reject({ detectionId, ...rejects });
  if (forgets !== null) {
    await tx.detections.forgetRejection({ detectionId, identityId: forgets });
  }
}
