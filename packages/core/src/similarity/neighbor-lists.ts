import { NEIGHBORS, type NeighborList } from '../groups/neighbor-list.ts';
import { inTurns } from './in-turns.ts';
import type { NearFaces } from './open-face-vectors.ts';

/**
 * The lists of the nearest neighbors of strangers. A face that arrives enters the lists of the faces that it is near to; a
 * face that departs leaves them.
 */
export class NeighborLists {
  readonly #lists = new Map<number, NeighborList>();
  /** The faces whose lists have lost a neighbor. */
  readonly #incomplete = new Set<number>();
  /** When each list was searched, on the clock of {@link NeighborLists.now}. Lists that were not searched are absent. */
  readonly #searchedAt = new Map<number, number>();
  #now = 0;

  /** A clock that moves on with each search, to tell which lists know a face. */
  get now(): number {
    return this.#now;
  }

  /** The faces whose lists have to be searched again. */
  get incomplete(): ReadonlySet<number> {
    return this.#incomplete;
  }

  of(face: number): NeighborList | undefined {
    return this.#lists.get(face);
  }

  /** Stores a list that was searched among all present strangers. */
  setSearched(face: number, list: NeighborList): void {
    this.set(face, list);
    this.#searchedAt.set(face, this.#now);
  }

  /** Moves the clock on, after strangers have arrived. */
  tick(): number {
    return ++this.#now;
  }

  set(face: number, list: NeighborList): void {
    this.#lists.set(face, list);
    if (list.isComplete) this.#incomplete.delete(face);
    else this.#incomplete.add(face);
  }

  /**
   * The least cosine with which a face that arrived at a time may enter a complete list that does not know it; null if all
   * lists know it.
   */
  leastCosine(arrivedAt: number): number | null {
    let least: number | null = null;
    for (const [face, { cosines, isComplete }] of this.#lists) {
      if (!isComplete || this.#knows(face, arrivedAt)) continue;
      if (cosines.length < NEIGHBORS) return -1;
      least = Math.min(least ?? 1, cosines[NEIGHBORS - 1]!);
    }
    return least;
  }

  /** Whether a list was searched since a face arrived. */
  #knows(face: number, arrivedAt: number): boolean {
    return (this.#searchedAt.get(face) ?? -1) >= arrivedAt;
  }

  /**
   * Enters a face into the lists of the faces that it is near to, unless they know it.
   *
   * @param near all faces whose cosine with the face is at least {@link leastCosine}
   * @returns the faces whose lists have changed
   */
  arrive(
    { id: face, arrivedAt }: { readonly id: number; readonly arrivedAt: number },
    { ids, cosines }: NearFaces,
  ): readonly number[] {
    const changed: number[] = [];
    for (const [index, other] of ids.entries()) {
      const list = other === face ? undefined : this.#lists.get(other);
      if (list === undefined || this.#knows(other, arrivedAt)) continue;
      const entered = withNeighbor(list, face, cosines[index]!);
      if (entered === list) continue;
      this.#lists.set(other, entered);
      changed.push(other);
    }
    return changed;
  }

  /** Adds a stored list, without neighbors that are no strangers because their departure was not followed yet. */
  restore(face: number, list: NeighborList, strangers: ReadonlyMap<number, unknown>): void {
    this.set(face, withoutNeighbors(list, (id) => !strangers.has(id)) ?? list);
  }

  /**
   * Removes the lists of faces, and the faces from the lists of others.
   *
   * @returns the faces whose lists have lost a neighbor
   */
  async depart(faces: ReadonlySet<number>): Promise<readonly number[]> {
    for (const face of faces) {
      this.#lists.delete(face);
      this.#incomplete.delete(face);
      this.#searchedAt.delete(face);
    }
    const changed: number[] = [];
    await inTurns(this.#lists, ([face, list]) => {
      const kept = withoutNeighbors(list, (id) => faces.has(id));
      if (kept === null) return;
      this.set(face, kept);
      changed.push(face);
    });
    return changed;
  }
}

/** Returns null if the list has none of the neighbors. */
function withoutNeighbors(
  list: NeighborList,
  isLeft: (neighbor: number) => boolean,
): NeighborList | null {
  const { ids, cosines } = list;
  if (!ids.some(isLeft)) return null;
  const kept = [...ids.keys()].filter((index) => !isLeft(ids[index]!));
  return {
    ...list,
    ids: kept.map((index) => ids[index]!),
    cosines: kept.map((index) => cosines[index]!),
    isComplete: false,
  };
}

function withNeighbor(list: NeighborList, face: number, cosine: number): NeighborList {
  const { ids, cosines } = list;
  if (ids.includes(face)) return list;
  let at = ids.length;
  while (
    at > 0 &&
    comesBefore({ cosine, id: face }, { cosine: cosines[at - 1]!, id: ids[at - 1]! })
  )
    at--;
  if (at >= NEIGHBORS) return list;
  return {
    ...list,
    ids: ids.toSpliced(at, 0, face).slice(0, NEIGHBORS),
    cosines: cosines.toSpliced(at, 0, cosine).slice(0, NEIGHBORS),
  };
}

interface Neighbor {
  readonly cosine: number;
  readonly id: number;
}

function comesBefore(one: Neighbor, other: Neighbor): boolean {
  return one.cosine > other.cosine || (one.cosine === other.cosine && one.id < other.id);
}
