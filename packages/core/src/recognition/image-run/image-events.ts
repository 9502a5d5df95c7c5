import {
  detectionAdded,
  detectionCreated,
  detectionLabeled,
  detectionsDeleted,
} from '../../events/detection-events.ts';
import type { DomainEvent } from '../../events/domain-event.ts';
import {
  coverCleared,
  embeddingAdded,
  embeddingRemoved,
  identityCreated,
} from '../../events/identity-events.ts';
import type { PlannedImage } from './plan-image.ts';
import type { WrittenImage } from './written-image.ts';

/**
 * What a run announces: new identities, then what goes, then face by face and object by object what
 * came or changed, then covers that went.
 */
export function eventsOfImage(planned: PlannedImage, written: WrittenImage): DomainEvent[] {
  const { plan } = planned;
  return [
    ...written.identities.map(identityCreated),
    ...eventsOfRemoval(planned, written),
    ...written.faces.flatMap((_, i) => eventsOfFace(planned, written, i)),
    ...eventsOfObjects(planned, written),
    ...plan.uncovered.map(coverCleared),
  ];
}

function eventsOfRemoval({ plan }: PlannedImage, { source }: WrittenImage): DomainEvent[] {
  const { removed, revoked } = plan;
  const ids = new Set(removed.map(({ id }) => id));
  return [
    ...detectionsDeleted(removed, () => source.externalRef),
    ...revoked.filter(({ detectionId }) => ids.has(detectionId)).map(embeddingRemoved),
  ];
}

function eventsOfFace(
  { plan }: PlannedImage,
  { source, faces, references }: WrittenImage,
  index: number,
): DomainEvent[] {
  const { stored } = plan.faces[index]!;
  const face = faces[index]!;
  const isHere = (reference: { readonly detectionId: number }) => reference.detectionId === face.id;
  const events: DomainEvent[] = [];
  if (stored === null) {
    events.push(detectionCreated(face, source.externalRef));
    if (face.identityId !== null) events.push(detectionAdded(face.id, face.identityId));
  } else if (stored.identityId !== face.identityId) {
    events.push(detectionLabeled(face, source.externalRef));
  }
  return [
    ...events,
    ...plan.revoked.filter(isHere).map(embeddingRemoved),
    ...references.filter(isHere).map(embeddingAdded),
  ];
}

function eventsOfObjects({ plan }: PlannedImage, { source, objects }: WrittenImage): DomainEvent[] {
  return objects
    .filter((_, i) => plan.objects[i]!.stored === null)
    .map((object) => detectionCreated(object, source.externalRef));
}
