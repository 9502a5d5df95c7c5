import { NEIGHBORS, type NeighborList } from '../groups/neighbor-list.ts';
import type { NearFaces } from './open-face-vectors.ts';

/**
 * The lists of the nearest neighbors of strangers. A face that arrives enters the lists of the faces that it is near to; a
 * face that departs leaves them.
 */
export class NeighborLists {
  readonly #lists = new Map<number, NeighborList>();
  /** The faces whose lists have lost a neighbor. */
  readonly #incomplete = new Set<number>();

  get size(): number {
    return this.#lists.size;
  }

  /** The faces whose lists have to be searched again. */
  get incomplete(): ReadonlySet<number> {
    return this.#incomplete;
  }

  of(face: number): NeighborList | undefined {
    return this.#lists.get(face);
  }

  faces(): MapIterator<number> {
    return this.#lists.keys();
  }

  set(face: number, list: NeighborList): void {
    this.#lists.set(face, list);
    if (list.isComplete) this.#incomplete.delete(face);
    else this.#incomplete.add(face);
  }

  /** The least cosine with which an arriving face may enter a complete list. */
  leastCosine(): number {
    let least = 1;
    for (const { cosines, isComplete } of this.#lists.values()) {
      if (!isComplete) continue;
      if (cosines.length < NEIGHBORS) return -1;
      least = Math.min(least, cosines[NEIGHBORS - 1]!);
    }
    return least;
  }

  /**
   * Enters a face into the lists of the faces that it is near to.
   *
   * @param near all faces whose cosine with the face is at least {@link leastCosine}
   * @returns the faces whose lists have changed
   */
  arrive(face: number, { ids, cosines }: NearFaces): readonly number[] {
    const changed: number[] = [];
    for (const [index, other] of ids.entries()) {
      const list = other === face ? undefined : this.#lists.get(other);
      if (list === undefined) continue;
      const entered = withNeighbor(list, face, cosines[index]!);
      if (entered === list) continue;
      this.#lists.set(other, entered);
      changed.push(other);
    }
    return changed;
  }

  /** Removes neighbors that are no strangers, because their departure was not followed. */
  removeUnknown(strangers: ReadonlyMap<number, unknown>): void {
    const unknown = new Set<number>();
    for (const { ids } of this.#lists.values()) {
      for (const id of ids) if (!strangers.has(id)) unknown.add(id);
    }
    if (unknown.size > 0) this.depart(unknown);
  }

  /**
   * Removes the lists of faces, and the faces from the lists of others.
   *
   * @returns the faces whose lists have lost a neighbor
   */
  depart(faces: ReadonlySet<number>): readonly number[] {
    for (const face of faces) {
      this.#lists.delete(face);
      this.#incomplete.delete(face);
    }
    const changed: number[] = [];
    for (const [face, list] of this.#lists) {
      if (!list.ids.some((id) => faces.has(id))) continue;
      const kept = list.ids.flatMap((id, index) => (faces.has(id) ? [] : [index]));
      this.set(face, {
        ...list,
        ids: kept.map((index) => list.ids[index]!),
        cosines: kept.map((index) => list.cosines[index]!),
        isComplete: false,
      });
      changed.push(face);
    }
    return changed;
  }
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
