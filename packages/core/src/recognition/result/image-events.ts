import {
  detectionAdded,
  detectionCreated,
  detectionLabeled,
  detectionsDeleted,
} from '../../events/detection-events.ts';
import type { DomainEvent } from '../../events/domain-event.ts';
import {
  coverChanged,
  coverCleared,
  embeddingAdded,
  embeddingRemoved,
  identityCreated,
} from '../../events/identity-events.ts';
import type { DetectionPlan, ImagePlan } from '../plan/image-plan.ts';
import type { ImageResult, StoredFace, StoredObject } from './image-result.ts';

/**
 * The events of a run: new identities, then what was removed, then face by face and object by object
 * what was added or changed, then cleared covers.
 */
export function eventsOfImage(plan: ImagePlan, result: ImageResult): DomainEvent[] {
  const { source } = result;
  const faces = plan.faces.map((face, i) => [face, result.faces[i]!] as const);
  return [
    ...result.identities.map(identityCreated),
    ...eventsOfRemoval(plan, result),
    ...faces.flatMap(([face, { detection }]) => [
      ...eventsOfFace(face, detection, source.externalRef),
      ...plan.revoked.filter(isOf(detection)).map(embeddingRemoved),
      ...result.references.filter(isOf(detection)).map(embeddingAdded),
    ]),
    ...plan.objects.flatMap((object, i) =>
      eventsOfObject(object, result.objects[i]!.detection, source.externalRef),
    ),
    ...plan.uncovered.map(coverCleared),
    ...result.covers.map(({ identityId, detectionId }) => coverChanged(identityId, detectionId)),
  ];
}

function isOf({ id }: StoredFace['detection']) {
  return (reference: { readonly detectionId: number }): boolean => reference.detectionId === id;
}

function eventsOfRemoval(
  { removed, revoked }: ImagePlan,
  { source }: ImageResult,
): readonly DomainEvent[] {
  const ids = new Set(removed.map(({ id }) => id));
  return [
    ...detectionsDeleted(removed, () => source.externalRef),
    ...revoked.filter(({ detectionId }) => ids.has(detectionId)).map(embeddingRemoved),
  ];
}

function eventsOfObject(
  { stored }: DetectionPlan,
  object: StoredObject['detection'],
  externalRef: string | null,
): readonly DomainEvent[] {
  if (stored === null) return [detectionCreated(object, externalRef)];
  return stored.identityId === object.identityId ? [] : [detectionLabeled(object, externalRef)];
}

function eventsOfFace(
  { stored }: DetectionPlan,
  face: StoredFace['detection'],
  externalRef: string | null,
): readonly DomainEvent[] {
  if (stored !== null) {
    return stored.identityId === face.identityId ? [] : [detectionLabeled(face, externalRef)];
  }
  return [
    detectionCreated(face, externalRef),
    ...(face.identityId === null ? [] : [detectionAdded(face.id, face.identityId)]),
  ];
}
