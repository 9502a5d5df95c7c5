import type { Detection } from '../detections/detection.ts';
import type { DomainEvent } from './domain-event.ts';

const MOST_PER_EVENT = 1000;

/** @param externalRef the external reference of the source image */
export function detectionCreated(detection: Detection, externalRef: string | null): DomainEvent {
  return { event: 'detection_created', facts: factsOf(detection, externalRef) };
}

/** @param externalRef the external reference of the source image */
export function detectionLabeled(detection: Assigned, externalRef: string | null): DomainEvent {
  return { event: 'detection_labeled', facts: factsOf(detection, externalRef) };
}

export function detectionAdded(detectionId: number, identityId: number): DomainEvent {
  return { event: 'detection_added', facts: { identityId, detectionId } };
}

/** @param externalRefOf returns the external reference of the source image with this id */
export function detectionsDeleted(
  detections: readonly Detection[],
  externalRefOf: (sourceImageId: number) => string | null,
): DomainEvent[] {
  const events: DomainEvent[] = [];
  for (let start = 0; start < detections.length; start += MOST_PER_EVENT) {
    const part = detections.slice(start, start + MOST_PER_EVENT);
    events.push({
      event: 'detections_deleted',
      facts: {
        detections: part.map(({ id, sourceImageId }) => ({
          detectionId: id,
          externalRef: externalRefOf(sourceImageId),
        })),
      },
    });
  }
  return events;
}

type Assigned = Pick<Detection, 'id' | 'type' | 'identityId'>;

function factsOf({ id, type, identityId }: Assigned, externalRef: string | null) {
  return { detectionId: id, type, identityId, externalRef };
}
