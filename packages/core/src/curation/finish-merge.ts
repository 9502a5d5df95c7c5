import type { Database, Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import { detectionLabeled } from '../events/detection-events.ts';
import { coverCleared } from '../events/identity-events.ts';
import type { Merge } from '../identities/merge-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';

/** Rows per transaction: other writers wait for a fraction of a second. */
const CHUNK = 500;

/**
 * The steps of a merge, in their order. Each answers how many rows it moved, at most `room`. Faces
 * that were rejected from the other identity come first: the later steps make no new ones, as
 * readers already see the two identities as one.
 */
const PHASES = [
  settleMeetings,
  (tx, merge, room) => tx.merges.moveRejections(merge, room),
  (tx, merge, room) => tx.merges.moveDetections(merge, room),
  (tx, merge, room) => tx.merges.moveSuggestions(merge, room),
] as const satisfies readonly ((tx: Transaction, merge: Merge, room: number) => Promise<number>)[];

export const FIRST_PHASE = 0;

/** The locks under which the rows of a merge move. */
export function locksOfMerge({ from, into }: Merge): readonly EntityLock[] {
  return [
    { entity: 'identity', id: from, mode: 'exclusive' },
    { entity: 'identity', id: into, mode: 'exclusive' },
  ];
}

/**
 * Moves the rest of an identity whose merge has begun, in several transactions, between which others can
 * write. Several processes may do this at once.
 *
 * @param phase of {@link moveSome}
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function finishMerge(
  deps: { readonly database: Database },
  {
    scope,
    merge,
    phase = FIRST_PHASE,
  }: { readonly scope: Scope; readonly merge: Merge; readonly phase?: number },
  signal?: AbortSignal,
): Promise<void> {
  for (let next: number | null = phase; next !== null;) {
    const from: number = next;
    next = await deps.database.withEntities(
      { ...scope, locks: locksOfMerge(merge) },
      async (tx) => {
        const deletion = await tx.identities.deletion(merge.from);
        return deletion?.mergedInto === merge.into ? moveSome(tx, merge, from) : null;
      },
      signal,
    );
  }
}

/** The first transaction of a deletion or merge. */
interface FirstStep<Begun> {
  readonly scope: Scope;
  readonly id: number;
  readonly locks: readonly EntityLock[];
  readonly begin: (tx: Transaction) => Promise<Begun>;
}

/**
 * Begins the deletion or merge of an identity, after all merges into it have ended. So the target of a merge
 * always exists, and readers find it in one step.
 *
 * @throws StoreUnavailable; the signal's reason on abort; the errors of `begin`
 */
export async function beginDeletion<Begun>(
  deps: { readonly database: Database },
  { scope, id: into, locks, begin }: FirstStep<Begun>,
  signal?: AbortSignal,
): Promise<Begun> {
  for (;;) {
    const { merging, begun } = await deps.database.withEntities(
      { ...scope, locks },
      async (tx) => {
        const merging = await tx.identities.mergingInto(into);
        return { merging, begun: merging.length > 0 ? null : { first: await begin(tx) } };
      },
      signal,
    );
    if (begun !== null) return begun.first;
    for (const from of merging) await finishMerge(deps, { scope, merge: { from, into } }, signal);
  }
}

/**
 * Moves rows of a merge, and ends the merge when none is left. Answers the phase to continue with;
 * null after the end.
 *
 * @param phase the first phase that may have rows to move
 */
export async function moveSome(
  tx: Transaction,
  merge: Merge,
  phase: number,
): Promise<number | null> {
  let room = CHUNK;
  for (let current = phase; current < PHASES.length; current++) {
    room -= await PHASES[current]!(tx, merge, room);
    if (room <= 0) return current;
  }
  await tx.merges.end(merge);
  return null;
}

/**
 * Handles the faces of one identity that were rejected from the other. An automatic assignment that is
 * not confirmed is undone, as if the face had been compared with the merged identity. A confirmed face
 * and one that a person decided keep the identity, and the rejection is deleted.
 */
async function settleMeetings(tx: Transaction, merge: Merge, room: number): Promise<number> {
  const ids = await tx.merges.meetings(merge, room);
  if (ids.length === 0) return 0;
  const faces = await tx.detections.byIds(ids);
  const [stay, lose] = [faces.filter(isDecided), faces.filter((face) => !isDecided(face))];
  if (stay.length > 0) await tx.merges.forgetRejections(idsOf(stay), merge);
  if (lose.length > 0) await unassign(tx, merge, lose);
  return ids.length;
}

function isDecided({ decidedBy, reviewStatus }: Detection): boolean {
  return decidedBy === 'human' || reviewStatus === 'confirmed';
}

async function unassign(tx: Transaction, merge: Merge, faces: readonly Detection[]): Promise<void> {
  const sources = await tx.sources.byIds([...new Set(faces.map((face) => face.sourceImageId))]);
  const externalRefs = new Map(sources.map(({ id, externalRef }) => [id, externalRef]));
  const target = await tx.identities.byId(merge.into);
  const isUncovered = faces.some(({ id }) => id === target?.coverDetectionId);
  await tx.merges.unassign(idsOf(faces), merge);
  if (isUncovered) await tx.identities.setCover(merge.into, null);
  await tx.emit(
    ...faces.map((face) =>
      detectionLabeled({ ...face, identityId: null }, externalRefs.get(face.sourceImageId) ?? null),
    ),
    ...(isUncovered ? [coverCleared(merge.into)] : []),
  );
}

function idsOf(faces: readonly Detection[]): readonly number[] {
  return faces.map(({ id }) => id);
}
