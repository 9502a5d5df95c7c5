import type { EntityLock } from '../../store/entity-lock.ts';
import { movedFaces, type FacePlan, type ImagePlan, type PlannedIdentity } from './image-plan.ts';

/** The locks of everything that a plan touches or refers to. */
export function locksOfPlan(plan: ImagePlan): readonly EntityLock[] {
  const exclusive = changedIdentities(plan);
  const shared = referredIdentities(plan).filter((id) => !exclusive.has(id));
  const touched = plan.faces.filter(isTouched).map(({ stored }) => stored);
  const detectionIds = [...plan.removed, ...touched].flatMap((detection) => detection?.id ?? []);
  return [
    { entity: 'source', digest: plan.run.digest },
    ...plan.created.map(({ type, label }): EntityLock => ({ entity: 'label', type, label })),
    ...[...exclusive].map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    ...[...new Set(shared)].map((id): EntityLock => ({ entity: 'identity', id, mode: 'shared' })),
    ...detectionIds.map((id): EntityLock => ({ entity: 'detection', id })),
  ];
}

/** Identities that lose something, or whose mean changes. */
function changedIdentities({ faces, removed, revoked, uncovered }: ImagePlan): ReadonlySet<number> {
  return new Set([
    ...uncovered,
    ...revoked.map(({ identityId }) => identityId),
    ...knownIds(faces.map(({ enrollment }) => enrollment?.identity)),
    ...knownIds([...removed, ...movedFaces(faces)].map(({ identityId }) => identityId)),
  ]);
}

function referredIdentities({ state, faces, objects }: ImagePlan): readonly number[] {
  return [
    ...knownIds(faces.map(({ decision }) => decision?.identity)),
    ...knownIds(objects.filter(({ stored }) => stored === null).map(({ identity }) => identity)),
    ...faces.flatMap(({ suggestions }) => suggestions ?? []).map(({ identityId }) => identityId),
    ...faces.flatMap(({ replaces }) => [...(state.rejections.get(replaces?.id ?? 0) ?? [])]),
  ];
}

function isTouched({ decision, enrollment, addsEmbedding, suggestions }: FacePlan): boolean {
  return decision !== null || enrollment !== null || addsEmbedding || suggestions !== null;
}

function knownIds(identities: readonly (PlannedIdentity | null | undefined)[]): number[] {
  return identities.filter((identity) => typeof identity === 'number');
}
