import type { Detection } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { FileName } from '../run/image-files.ts';
import { type ImageRun, storedModel } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import {
  type DetectionPlan,
  type FacePlan,
  type ImagePlan,
  movedDetections,
  type PlannedIdentity,
  reopenedFaces,
} from './image-plan.ts';
import { planArchived } from '../import/plan-import.ts';
import { planFaces } from './plan-faces.ts';
import { planObjects } from './plan-objects.ts';

/** Decides what a run changes. The same run and state give the same plan. */
export function planImage(run: ImageRun, state: ImageState): ImagePlan {
  const { faces, objects } = planDetections(run, state);
  const removed = run.replace ? state.detections.filter(({ type }) => isSought(type, run)) : [];
  const leaving = [...removed, ...movedDetections([...faces, ...objects])];
  return {
    run,
    state,
    faces,
    objects,
    created: identitiesToCreate([...faces, ...objects]),
    removed,
    revoked: referencesToRevoke([...leaving, ...reopenedFaces(faces)], state),
    uncovered: uncoveredBy(leaving, state),
  };
}

function planDetections(run: ImageRun, state: ImageState): Pick<ImagePlan, 'faces' | 'objects'> {
  return state.archived === null
    ? { faces: planFaces(run, state), objects: planObjects(run, state) }
    : planArchived(run, state, state.archived);
}

/** The files that the rows of a plan refer to: those of what is new. */
export function filesOfPlan({ run, state, faces, objects }: ImagePlan): readonly FileName[] {
  const names: FileName[] = [];
  if (state.source === null && run.posted !== null) {
    names.push('source', ...(run.posted.original ? ['original' as const] : []));
  }
  for (const [i, { stored }] of faces.entries()) if (!stored) names.push(`face ${i}`);
  for (const [i, { stored }] of objects.entries()) if (!stored) names.push(`object ${i}`);
  return names;
}

/** The locks of everything that a plan touches or refers to. */
export function locksOfPlan(plan: ImagePlan): readonly EntityLock[] {
  const exclusive = changedIdentities(plan);
  const shared = referredIdentities(plan).filter((id) => !exclusive.has(id));
  const touched = [...plan.faces.filter(isTouchedFace), ...plan.objects.filter(isTouched)].map(
    ({ stored }) => stored,
  );
  const detectionIds = [...plan.removed, ...touched].flatMap((detection) => detection?.id ?? []);
  const model = storedModel(plan.run);
  return [
    ...(model === null ? [] : [{ entity: 'model', id: model.id } as const]),
    { entity: 'source', digest: plan.run.digest },
    ...plan.created.map(({ type, label }): EntityLock => ({ entity: 'label', type, label })),
    ...[...exclusive].map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    ...[...new Set(shared)].map((id): EntityLock => ({ entity: 'identity', id, mode: 'shared' })),
    ...detectionIds.map((id): EntityLock => ({ entity: 'detection', id })),
  ];
}

function isSought(type: Detection['type'], { analysis }: ImageRun): boolean {
  return (type === 'face' ? analysis.faces : analysis.objects) !== null;
}

function identitiesToCreate(plans: readonly DetectionPlan[]): readonly NewIdentity[] {
  const planned = plans.flatMap(({ decision, imported }) => [
    decision?.identity ?? null,
    ...(imported?.rejections ?? []).map(({ identity }) => identity),
  ]);
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

/** Identities that lose something, or whose mean changes. */
function changedIdentities(plan: ImagePlan): ReadonlySet<number> {
  const { faces, objects, removed, revoked, uncovered } = plan;
  const plans = [...faces, ...objects];
  return new Set([
    ...uncovered,
    ...revoked.map(({ identityId }) => identityId),
    ...knownIds(faces.map(({ enrollment }) => enrollment?.identity)),
    ...knownIds(plans.map(({ imported }) => imported?.covers)),
    ...knownIds([...removed, ...movedDetections(plans)].map(({ identityId }) => identityId)),
  ]);
}

/** Not those that are suggested: a suggestion of an identity that vanishes is left out when written. */
function referredIdentities({ state, faces, objects }: ImagePlan): readonly number[] {
  const plans = [...faces, ...objects];
  const rejections = plans.flatMap(({ imported }) => imported?.rejections ?? []);
  return [
    ...knownIds(plans.map(({ decision }) => decision?.identity)),
    ...knownIds(rejections.map(({ identity }) => identity)),
    ...faces.flatMap(({ replaces }) => [...(state.rejections.get(replaces?.id ?? 0) ?? [])]),
  ];
}

function isTouchedFace(plan: FacePlan): boolean {
  const { enrollment, addsEmbedding, suggestions } = plan;
  return isTouched(plan) || enrollment !== null || addsEmbedding || suggestions !== null;
}

function isTouched({ decision, imported }: DetectionPlan): boolean {
  if (decision !== null) return true;
  if (imported === undefined) return false;
  const { vectors, rejections, dismissedAt, reviewsMismatch } = imported;
  return vectors.length > 0 || rejections.length > 0 || dismissedAt !== null || reviewsMismatch;
}

function knownIds(identities: readonly (PlannedIdentity | null | undefined)[]): number[] {
  return identities.filter((identity) => typeof identity === 'number');
}
