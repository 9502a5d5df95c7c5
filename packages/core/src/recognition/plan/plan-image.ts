import type { Detection } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { ImageRun } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import {
  identityKey,
  movedFaces,
  type FacePlan,
  type ImagePlan,
  type ObjectPlan,
  type PlannedIdentity,
} from './image-plan.ts';
import { planFaces } from './plan-faces.ts';
import { planObjects } from './plan-objects.ts';

/** Decides what a run changes. The same run and state give the same plan. */
export function planImage(run: ImageRun, state: ImageState): ImagePlan {
  const faces = planFaces(run, state);
  const objects = planObjects(run, state);
  const removed = run.replace ? state.detections.filter(({ type }) => isSought(type, run)) : [];
  const leaving = [...removed, ...movedFaces(faces)];
  return {
    run,
    state,
    faces,
    objects,
    created: identitiesToCreate(faces, objects),
    removed,
    revoked: referencesToRevoke(leaving, state),
    uncovered: uncoveredBy(leaving, state),
  };
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

function referencesToRevoke(
  leaving: readonly Detection[],
  { references }: ImageState,
): readonly ReferenceLink[] {
  const ids = new Set(leaving.map(({ id }) => id));
  return references.filter(({ detectionId }) => ids.has(detectionId));
}

function uncoveredBy(leaving: readonly Detection[], { identities }: ImageState): readonly number[] {
  const ids = new Set(leaving.map(({ id }) => id));
  const left = new Set(leaving.flatMap(({ identityId }) => identityId ?? []));
  return [...left].filter((id) => {
    const cover = identities.get(id)?.coverDetectionId ?? null;
    return cover !== null && ids.has(cover);
  });
}
