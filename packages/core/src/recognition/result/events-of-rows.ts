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
import type { Detection } from '../../detections/detection.ts';
import type { DetectionPlan, RowsPlan } from '../plan/image-plan.ts';
import type { WrittenRows } from './write-rows.ts';

/**
 * The events of a run, in this order: created identities, removed detections, changes of each face, changes of each
 * object, cleared covers.
 */
export function eventsOfRows(plan: RowsPlan, rows: WrittenRows): DomainEvent[] {
  const { externalRef } = rows.source;
  const faces = plan.faces.map((face, i) => [face, rows.faces[i]!] as const);
  return [
    ...rows.identities.map(identityCreated),
    ...eventsOfRemoval(plan, externalRef),
    ...faces.flatMap(([face, detection]) => [
      ...eventsOfFace(face, detection, externalRef),
      ...plan.revoked.filter(isOf(detection)).map(embeddingRemoved),
      ...rows.references.filter(isOf(detection)).map(embeddingAdded),
    ]),
    ...plan.objects.flatMap((object, i) => eventsOfObject(object, rows.objects[i]!, externalRef)),
    ...plan.uncovered.map(coverCleared),
  ];
}

function isOf({ id }: Detection) {
  return (reference: { readonly detectionId: number }): boolean => reference.detectionId === id;
}

function eventsOfRemoval(
  { removed, revoked }: RowsPlan,
  externalRef: string | null,
): readonly DomainEvent[] {
  const ids = new Set(removed.map(({ id }) => id));
  return [
    ...detectionsDeleted(removed, () => externalRef),
    ...revoked.filter(({ detectionId }) => ids.has(detectionId)).map(embeddingRemoved),
  ];
}

function eventsOfObject(
  { stored }: DetectionPlan,
  object: Detection,
  externalRef: string | null,
): readonly DomainEvent[] {
  if (stored === null) return [detectionCreated(object, externalRef)];
  return stored.identityId === object.identityId ? [] : [detectionLabeled(object, externalRef)];
}

function eventsOfFace(
  { stored }: DetectionPlan,
  face: Detection,
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
