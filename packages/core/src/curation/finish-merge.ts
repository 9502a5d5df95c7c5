import type { Database, Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import { outlastsRejection } from '../detections/outlasts-rejection.ts';
import { detectionLabeled } from '../events/detection-events.ts';
import { coverCleared, embeddingRemoved } from '../events/identity-events.ts';
import type { Merge } from '../identities/merge-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';

/** The number of rows that one transaction moves. Other writers then wait less than a second. */
const CHUNK = 500;

/**
 * The steps that move the rows of a merge, in their order. Each step returns how many rows it changed, which is less than
 * `room` only if none are left. They cannot cause new conflicts between assignments and rejections, because the two
 * identities are already treated as one.
 */
const STEPS = [
  (tx, merge, room) => tx.merges.moveRejections(merge, room),
  moveDetections,
  (tx, merge, room) => tx.merges.moveSuggestions(merge, room),
] as const satisfies readonly ((tx: Transaction, merge: Merge, room: number) => Promise<number>)[];

/** How far a merge has come. */
export interface MergeProgress {
  /** The last rejected face whose conflicts are settled; null if those of all faces are. */
  readonly settled: number | null;
  /** The index in {@link STEPS} of the first step that may have rows to move. */
  readonly step: number;
}

export const MERGE_START: MergeProgress = { settled: 0, step: 0 };

export function locksOfMerge({ from, into }: Merge): readonly EntityLock[] {
  return [
    { entity: 'identity', id: from, mode: 'exclusive' },
    { entity: 'identity', id: into, mode: 'exclusive' },
  ];
}

/**
 * Moves the rest of an identity whose merge has started, in several transactions, between which other requests can
 * write. Several processes may do this at the same time.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function finishMerge(
  deps: { readonly database: Database },
  {
    scope,
    merge,
    progress = MERGE_START,
  }: { readonly scope: Scope; readonly merge: Merge; readonly progress?: MergeProgress },
  signal?: AbortSignal,
): Promise<void> {
  for (let next: MergeProgress | null = progress; next !== null;) {
    const from: MergeProgress = next;
    next = await deps.database.withEntities(
      { ...scope, locks: locksOfMerge(merge) },
      async (tx) => {
        const deletion = await tx.identities.continueDeletion(merge.from);
        return deletion?.mergedInto === merge.into ? moveSome(tx, merge, from) : null;
      },
      signal,
    );
  }
}

interface FirstStep<Started> {
  readonly scope: Scope;
  readonly id: number;
  readonly locks: readonly EntityLock[];
  readonly begin: (tx: Transaction) => Promise<Started>;
}

/**
 * Starts the deletion or merge of an identity, after all merges into that identity have ended. Therefore the target of
 * a merge always exists and is itself not being merged.
 *
 * @throws StoreUnavailable; the signal's reason on abort; the errors of `begin`
 */
export async function startDeletion<Started>(
  deps: { readonly database: Database },
  { scope, id: into, locks, begin }: FirstStep<Started>,
  signal?: AbortSignal,
): Promise<Started> {
  for (;;) {
    const { merging, started } = await deps.database.withEntities(
      { ...scope, locks },
      async (tx) => {
        const merging = await tx.identities.mergingInto(into);
        return { merging, started: merging.length > 0 ? null : { first: await begin(tx) } };
      },
      signal,
    );
    if (started !== null) return started.first;
    // An older merge belongs to its own operation, and not to that of this request.
    const { environmentId } = scope;
    for (const from of merging) {
      await finishMerge(deps, { scope: { environmentId }, merge: { from, into } }, signal);
    }
  }
}

/**
 * Settles conflicts and moves rows of a merge, and ends the merge when no row is left. Returns the progress from which to
 * continue, or null after the end.
 */
export async function moveSome(
  tx: Transaction,
  merge: Merge,
  { settled, step }: MergeProgress,
): Promise<MergeProgress | null> {
  let room = CHUNK;
  if (settled !== null) {
    const { ids, last } = await tx.merges.conflicts(merge, { after: settled, limit: CHUNK });
    await settleConflicts(tx, merge, ids);
    if (last !== null) return { settled: last, step };
    room -= ids.length;
  }
  for (let current = step; current < STEPS.length; current++) {
    room -= await STEPS[current]!(tx, merge, room);
    if (room <= 0) return { settled: null, step: current };
  }
  await tx.merges.end(merge);
  return null;
}

/**
 * Handles faces that are assigned to one of the two identities and were rejected from the other. If a person decided the
 * assignment or the face is confirmed, the rejection is deleted. Otherwise the assignment is removed, because the face
 * was rejected from the merged identity.
 */
async function settleConflicts(
  tx: Transaction,
  merge: Merge,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const faces = await tx.detections.byIds(ids);
  const stay = faces.filter(outlastsRejection);
  const lose = faces.filter((face) => !outlastsRejection(face));
  if (stay.length > 0) await tx.merges.forgetRejections(idsOf(stay), merge);
  if (lose.length > 0) await unassign(tx, merge, lose);
}

/**
 * Moves detections, and unassigns doubles in their images. The service assigns an identity once in an image, so only the
 * most similar face that it assigned keeps the identity, and the others get it as a suggestion.
 */
async function moveDetections(tx: Transaction, merge: Merge, room: number): Promise<number> {
  const ids = await tx.merges.doubles(merge, room);
  if (ids.length > 0) {
    await tx.merges.suggest(ids, merge);
    await unassign(tx, merge, await tx.detections.byIds(ids));
  }
  // Some doubles may have been among the detections whose images were searched, so at most this many of those are left.
  const left = Math.max(0, room - ids.length);
  return ids.length + (await tx.merges.moveDetections(merge, left));
}

async function unassign(tx: Transaction, merge: Merge, faces: readonly Detection[]): Promise<void> {
  const sources = await tx.sources.byIds([...new Set(faces.map((face) => face.sourceImageId))]);
  const externalRefs = new Map(sources.map(({ id, externalRef }) => [id, externalRef]));
  const target = await tx.identities.byId(merge.into);
  const isUncovered = faces.some(({ id }) => id === target?.coverDetectionId);
  const references = await tx.references.ofDetections(idsOf(faces));
  await tx.references.revoke(references);
  await tx.merges.unassign(idsOf(faces), merge);
  if (isUncovered) await tx.identities.setCover(merge.into, null);
  await tx.emit(
    ...faces.map((face) =>
      detectionLabeled({ ...face, identityId: null }, externalRefs.get(face.sourceImageId) ?? null),
    ),
    ...references.map(embeddingRemoved),
    ...(isUncovered ? [coverCleared(merge.into)] : []),
  );
}

function idsOf(faces: readonly Detection[]): readonly number[] {
  return faces.map(({ id }) => id);
}
