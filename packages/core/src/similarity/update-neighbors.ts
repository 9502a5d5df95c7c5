import type { FollowedFace } from '../groups/followed-faces.ts';
import { NEIGHBORS, type NeighborList } from '../groups/neighbor-list.ts';
import type { NearFaces, OpenFaceVectors } from './open-face-vectors.ts';
import type { FollowedSpace } from '../groups/followed-space.ts';
import type { Followed, SpaceMemory } from './space-memory.ts';

/**
 * The most faces that are entered into the lists of others at once. As long as an environment has few lists, each face is
 * near to all strangers.
 */
const ARRIVING = 8;

export interface NeighborDeps {
  readonly openFaces: OpenFaceVectors;
}

/** The present state of faces that have changed. */
export interface ChangedFaces {
  readonly ids: readonly number[];
  /** The faces that are open and can be compared. */
  readonly open: readonly FollowedFace[];
  /** The strangers that do not exist any more. */
  readonly deleted: ReadonlySet<number>;
}

type Lists = Map<number, NeighborList | null>;

/**
 * Brings the vectors in memory and the lists of neighbors up to date with faces that have changed. A stranger that
 * arrives is compared with all other strangers, and enters their lists.
 *
 * @returns the lists that have changed; null for a face that is no stranger any more
 */
export async function updateNeighbors(
  { openFaces }: NeighborDeps,
  { space, memory }: Followed,
  { ids, open, deleted }: ChangedFaces,
): Promise<Lists> {
  const { lists } = memory;
  const strangers = new Map(
    open.filter(({ isStranger }) => isStranger).map((face) => [face.id, face]),
  );
  await putVectors(openFaces, { space, memory }, { ids, open });
  // A stranger whose arrival was not followed yet has no list, but may be in the lists of others already.
  const departed = new Set(
    ids.filter((id) =>
      [lists.of(id), memory.strangers.get(id)].some(
        (known) => known !== undefined && known.fingerprint !== strangers.get(id)?.fingerprint,
      ),
    ),
  );
  placeStrangers(memory, ids, strangers);

  const changed: Lists = new Map();
  if (departed.size > 0) {
    for (const id of await lists.depart(departed)) changed.set(id, lists.of(id)!);
    memory.strangersChanged(departed.size);
  }
  // Deleted strangers may be in the tree, although nothing else is left of them.
  const unknown = ids.filter((id) => deleted.has(id) && !departed.has(id));
  if (unknown.length > 0) memory.strangersChanged(unknown.length);
  // A face that departed before its space was loaded may still have a stored list.
  for (const id of ids) if (!strangers.has(id)) changed.set(id, null);
  const arrived = [...strangers.values()].filter(({ id }) => lists.of(id) === undefined);
  if (arrived.length > 0) {
    await arrive({ openFaces }, { space, memory, changed }, arrived);
    memory.strangersChanged(arrived.length);
  }
  return changed;
}

/** Remembers the strangers. One that was there before, with the same vector, keeps its time of arrival. */
function placeStrangers(
  { lists, strangers: present }: SpaceMemory,
  ids: readonly number[],
  strangers: ReadonlyMap<number, FollowedFace>,
): void {
  const now = lists.tick();
  for (const id of ids) {
    const face = strangers.get(id);
    if (face === undefined) present.delete(id);
    else if (present.get(id)?.fingerprint !== face.fingerprint) {
      const { confidence, fingerprint } = face;
      present.set(id, { confidence, fingerprint, arrivedAt: now });
    }
  }
}

async function putVectors(
  openFaces: OpenFaceVectors,
  { space, memory: { otherFaces } }: Followed,
  { ids, open }: Pick<ChangedFaces, 'ids' | 'open'>,
): Promise<void> {
  const present = new Set(open.map(({ id }) => id));
  await openFaces.remove(
    space,
    ids.filter((id) => !present.has(id)),
  );
  await openFaces.upsert(space, open);
  for (const id of ids) otherFaces.delete(id);
  for (const { id, isStranger } of open) if (!isStranger) otherFaces.add(id);
}

/** Makes the lists of strangers that have arrived, and enters them into the lists of others. */
async function arrive(
  { openFaces }: NeighborDeps,
  { space, memory, changed }: Followed & { readonly changed: Lists },
  arrived: readonly FollowedFace[],
): Promise<void> {
  const { lists } = memory;
  for (const [id, list] of await searchNeighbors(openFaces, space, arrived)) {
    lists.setSearched(id, list);
    changed.set(id, list);
  }
  const arrivals = arrived.map(({ id }) => ({ id, ...memory.strangers.get(id)! }));
  const least = lists.leastCosine(Math.max(...arrivals.map(({ arrivedAt }) => arrivedAt)));
  if (least === null) return;
  for (let start = 0; start < arrived.length; start += ARRIVING) {
    const vectors = arrived.slice(start, start + ARRIVING).map(({ vector }) => vector);
    const near = await openFaces.strangersAbove(space, vectors, least);
    for (const [index, found] of near.entries()) {
      const others = lists.arrive(arrivals[start + index]!, found);
      for (const other of others) changed.set(other, lists.of(other)!);
    }
  }
}

/** Searches the lists of these strangers again. Returns the lists. */
export async function searchAgain(
  { openFaces }: NeighborDeps,
  { space, memory }: Followed,
  faces: readonly FollowedFace[],
): Promise<Lists> {
  const found = await searchNeighbors(openFaces, space, faces);
  for (const [id, list] of found) memory.lists.setSearched(id, list);
  if (found.size > 0) memory.neighborsChanged();
  return found;
}

/** Finds the strangers that are nearest to each of the faces, which need not be strangers. */
export async function searchNeighbors(
  openFaces: Pick<OpenFaceVectors, 'nearest'>,
  space: FollowedSpace,
  faces: readonly FollowedFace[],
): Promise<Map<number, NeighborList>> {
  if (faces.length === 0) return new Map();
  const nearest = await openFaces.nearest(
    space,
    faces.map(({ vector }) => vector),
    NEIGHBORS + 1,
  );
  return new Map(
    faces.map(({ id, fingerprint }, index) => [id, toList(nearest[index]!, { id, fingerprint })]),
  );
}

/** Makes the list of a face from the strangers that are nearest to it, which include the face itself. */
function toList(
  { ids, cosines }: NearFaces,
  { id, fingerprint }: Pick<FollowedFace, 'id' | 'fingerprint'>,
): NeighborList {
  const others = [...ids.keys()].filter((index) => ids[index] !== id).slice(0, NEIGHBORS);
  return {
    ids: others.map((index) => ids[index]!),
    cosines: others.map((index) => cosines[index]!),
    fingerprint,
    isComplete: true,
  };
}
