import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import type { Detection } from '../../detections/detection.ts';
import type { ImageRun, ImageState, PlannedIdentity } from './image-run.ts';
import { planFaces, type FacePlan } from './plan-faces.ts';
import { planObjects, type ObjectPlan } from './plan-objects.ts';

/** What a run changes in the database, decided before anything is written. */
export interface ImagePlan {
  /** In the order in which they were found. */
  readonly faces: readonly FacePlan[];
  readonly objects: readonly ObjectPlan[];
  /** Each once. */
  readonly created: readonly NewIdentity[];
  /** Stored detections that the found ones replace. */
  readonly removed: readonly Detection[];
  readonly revoked: readonly ReferenceLink[];
  /** Identities whose cover goes away or becomes somebody else. */
  readonly uncovered: readonly number[];
}

/** A plan with what it was made from. */
export interface PlannedImage {
  readonly run: ImageRun;
  readonly state: ImageState;
  readonly plan: ImagePlan;
}

export function planImage(run: ImageRun, state: ImageState): ImagePlan {
  const faces = planFaces(run, state);
  const objects = planObjects(run, state);
  const removed = run.replace ? state.detections.filter(({ type }) => isSought(type, run)) : [];
  return {
    faces,
    objects,
    created: identitiesToCreate(faces, objects),
    removed,
    revoked: referencesToRevoke(faces, removed, state),
    uncovered: uncoveredBy([...removed, ...movedFaces(faces)], state),
  };
}

/** The locks of everything that the plan touches or refers to. */
export function locksOf({ run, state, plan }: PlannedImage): readonly EntityLock[] {
  const { faces, objects, created, removed, revoked, uncovered } = plan;
  const exclusive = new Set([
    ...uncovered,
    ...revoked.map(({ identityId }) => identityId),
    ...knownIds(faces.map(({ enrollment }) => enrollment?.identity)),
    ...knownIds([...removed, ...movedFaces(faces)].map(({ identityId }) => identityId)),
  ]);
  const shared = new Set([
    ...knownIds(faces.map(({ decision }) => decision?.identity)),
    ...knownIds(objects.filter(({ stored }) => stored === null).map(({ identity }) => identity)),
    ...faces.flatMap(({ suggestions }) => suggestions ?? []).map(({ identityId }) => identityId),
    ...faces.flatMap(({ heirOf }) => [...(state.rejections.get(heirOf?.id ?? 0) ?? [])]),
  ]);
  const touched = faces.filter(isTouched);
  const detectionIds = [...removed, ...touched.map(({ stored }) => stored)].flatMap(
    (detection) => detection?.id ?? [],
  );
  return [
    { entity: 'source', digest: run.digest },
    ...created.map(({ type, label }): EntityLock => ({ entity: 'label', type, label })),
    ...[...exclusive].map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    ...[...shared]
      .filter((id) => !exclusive.has(id))
      .map((id): EntityLock => ({ entity: 'identity', id, mode: 'shared' })),
    ...detectionIds.map((id): EntityLock => ({ entity: 'detection', id })),
  ];
}

/** Tells identities that are created apart. */
export function identityKey({ type, label }: NewIdentity): string {
  return `${type} ${label}`;
}

function isTouched({ decision, enrollment, addsEmbedding, suggestions }: FacePlan): boolean {
  return decision !== null || enrollment !== null || addsEmbedding || suggestions !== null;
}

function isSought(type: Detection['type'], { analysis }: ImageRun): boolean {
  return (type === 'face' ? analysis.faces : analysis.objects) !== null;
}

function identitiesToCreate(
  faces: readonly FacePlan[],
  objects: readonly ObjectPlan[],
): readonly NewIdentity[] {
  const planned = [
    ...faces.map(({ decision }) => decision?.identity ?? null),
    ...objects.map(({ stored, identity }) => (stored === null ? identity : null)),
  ];
  const created = planned.filter((identity) => isNew(identity));
  return [...new Map(created.map((identity) => [identityKey(identity), identity])).values()];
}

function isNew(identity: PlannedIdentity | null): identity is NewIdentity {
  return identity !== null && typeof identity !== 'number';
}

function knownIds(identities: readonly (PlannedIdentity | null | undefined)[]): number[] {
  return identities.filter((identity) => typeof identity === 'number');
}

/** Stored faces that leave their identity. */
function movedFaces(faces: readonly FacePlan[]): readonly Detection[] {
  return faces.flatMap(({ stored, decision }) =>
    stored !== null && decision !== null && stored.identityId !== decision.identity ? [stored] : [],
  );
}

function referencesToRevoke(
  faces: readonly FacePlan[],
  removed: readonly Detection[],
  { references }: ImageState,
): readonly ReferenceLink[] {
  const leaving = new Set([...removed, ...movedFaces(faces)].map(({ id }) => id));
  return references.filter(({ detectionId }) => leaving.has(detectionId));
}

function uncoveredBy(leaving: readonly Detection[], { identities }: ImageState): readonly number[] {
  const ids = new Set(leaving.map(({ id }) => id));
  const left = new Set(leaving.flatMap(({ identityId }) => identityId ?? []));
  return [...left].filter((id) => {
    const cover = identities.get(id)?.coverDetectionId ?? null;
    return cover !== null && ids.has(cover);
  });
}
