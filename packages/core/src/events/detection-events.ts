import type { Detection } from '../detections/detection.ts';
import type { DomainEvent } from './domain-event.ts';

/** Ids in one `detection.deleted`. */
const MOST_PER_EVENT = 1000;

/** @param externalRef that of the source image */
export function detectionCreated(detection: Detection, externalRef: string | null): DomainEvent {
  return { event: 'detection.created', data: factOf(detection, externalRef) };
}

/** @param externalRef that of the source image */
export function detectionLabeled(detection: Detection, externalRef: string | null): DomainEvent {
  return { event: 'detection.labeled', data: factOf(detection, externalRef) };
}

export function detectionAdded(detectionId: number, identityId: number): DomainEvent {
  return {
    event: 'identity.updated',
    data: { identity_id: identityId, action: 'detection_added', detection_id: detectionId },
  };
}

/** @param externalRefOf that of the source image with this id */
export function detectionsDeleted(
  detections: readonly Detection[],
  externalRefOf: (sourceImageId: number) => string | null,
): DomainEvent[] {
  const events: DomainEvent[] = [];
  for (let start = 0; start < detections.length; start += MOST_PER_EVENT) {
    const part = detections.slice(start, start + MOST_PER_EVENT);
    events.push({
      event: 'detection.deleted',
      data: {
        detection_ids: part.map(({ id }) => id),
        external_refs: part.map(({ sourceImageId }) => externalRefOf(sourceImageId)),
      },
    });
  }
  return events;
}

function factOf({ id, type, identityId }: Detection, externalRef: string | null) {
  return { detection_id: id, type, identity_id: identityId, external_ref: externalRef };
}
