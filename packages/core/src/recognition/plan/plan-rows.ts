import type { Detection } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import type { FileName } from '../run/image-files.ts';
import type { PlannableState } from '../state/image-state.ts';
import type { DetectionPlan, FacePlan, PlannedIdentity, RowsPlan } from './image-plan.ts';

export interface Decided extends Pick<
  RowsPlan,
  'run' | 'state' | 'faces' | 'objects' | 'removed' | 'externalRef'
> {
  /** The identities to which changed or new rows refer. */
  readonly mentioned: readonly (PlannedIdentity | null)[];
  /** The identities that get another cover. */
  readonly covered: readonly (PlannedIdentity | null)[];
  readonly touched: readonly (Detection | null)[];
  /** The model whose embeddings the run stores; null if the run stores no embeddings. */
  readonly model: { readonly id: number } | null;
}

/** Derives the files, the locks, and further changed rows from the decisions. */
export function planRows(
  decided: Decided,
): Pick<RowsPlan, 'created' | 'revoked' | 'uncovered' | 'files' | 'locks'> {
  const { state, faces, objects, removed, mentioned } = decided;
  const moved = [...removed, ...movedDetections([...faces, ...objects])];
  const rows = {
    created: identitiesToCreate(mentioned),
    revoked: referencesToRevoke([...moved, ...reopenedFaces(faces)], state),
    uncovered: uncoveredBy(moved, state),
  };
  return { ...rows, files: filesOf(decided), locks: locksOf({ ...decided, ...rows }, moved) };
}

function filesOf({ run: { posted }, state, faces, objects }: Decided): readonly FileName[] {
  const names: FileName[] = [];
  if (state.source === null && posted !== null) {
    names.push('source', ...(posted.original ? ['original' as const] : []));
  }
  for (const [i, { stored }] of faces.entries()) if (!stored) names.push(`face ${i}`);
  for (const [i, { stored }] of objects.entries()) if (!stored) names.push(`object ${i}`);
  return names;
}

type DecidedRows = Decided & Pick<RowsPlan, 'created' | 'revoked' | 'uncovered'>;

/** @param moved the stored detections that are removed or get another identity */
function locksOf(plan: DecidedRows, moved: readonly Detection[]): readonly EntityLock[] {
  const { run, state, faces, created, removed, revoked, uncovered, model } = plan;
  // These identities lose a face, a reference or a cover, or the mean vector of their references changes.
  const exclusive = new Set([
    ...uncovered,
    ...revoked.map(({ identityId }) => identityId),
    ...knownIds(faces.map(({ enrollment }) => enrollment?.identity)),
    ...knownIds(plan.covered),
    ...knownIds(moved.map(({ identityId }) => identityId)),
  ]);
  // Suggested identities need no lock, because the write skips suggestions of deleted identities.
  const referred = new Set([
    ...knownIds(plan.mentioned),
    ...faces.flatMap(({ replaces }) => [...(state.rejections.get(replaces?.id ?? 0) ?? [])]),
  ]);
  const shared = [...referred].filter((id) => !exclusive.has(id));
  const detectionIds = [...removed, ...plan.touched].flatMap((detection) => detection?.id ?? []);
  return [
    ...(model === null ? [] : [{ entity: 'models' } as const]),
    { entity: 'source', digest: run.digest },
    ...created.map(({ type, label }): EntityLock => ({ entity: 'label', type, label })),
    ...[...exclusive].map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    ...shared.map((id): EntityLock => ({ entity: 'identity', id, mode: 'shared' })),
    ...detectionIds.map((id): EntityLock => ({ entity: 'detection', id })),
  ];
}

function identitiesToCreate(
  mentioned: readonly (PlannedIdentity | null)[],
): readonly NewIdentity[] {
  const created = mentioned.filter((identity) => identity !== null && typeof identity !== 'number');
  return [...new Map(created.map((identity) => [identityKey(identity), identity])).values()];
}

function referencesToRevoke(
  moved: readonly Detection[],
  { references }: PlannableState,
): readonly ReferenceLink[] {
  const ids = new Set(moved.map(({ id }) => id));
  return references.filter(({ detectionId }) => ids.has(detectionId));
}

function uncoveredBy(
  moved: readonly Detection[],
  { identities }: PlannableState,
): readonly number[] {
  const ids = new Set(moved.map(({ id }) => id));
  const left = new Set(moved.flatMap(({ identityId }) => identityId ?? []));
  return [...left].filter((id) => {
    const cover = identities.get(id)?.coverDetectionId ?? null;
    return cover !== null && ids.has(cover);
  });
}

/** The stored detections that get another identity. */
function movedDetections(plans: readonly DetectionPlan[]): readonly Detection[] {
  return plans.flatMap(({ stored, decision }) =>
    stored !== null && decision !== null && stored.identityId !== decision.identity ? [stored] : [],
  );
}

/** The stored faces that keep their identity, but are no longer confirmed. */
function reopenedFaces(faces: readonly FacePlan[]): readonly Detection[] {
  return faces.flatMap(({ stored, decision }) =>
    stored?.reviewStatus === 'confirmed' &&
    decision !== null &&
    decision.reviewStatus !== 'confirmed' &&
    stored.identityId === decision.identity
      ? [stored]
      : [],
  );
}

function knownIds(identities: readonly (PlannedIdentity | null | undefined)[]): number[] {
  return identities.filter((identity) => typeof identity === 'number');
}
