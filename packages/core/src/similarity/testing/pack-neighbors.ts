import type { PackedNeighbors } from '../group-linker.ts';

/** Packs lists of neighbors, one after the other. */
export function packNeighbors(lists: Iterable<Iterable<number>>): PackedNeighbors {
  const ends: number[] = [];
  const targets: number[] = [];
  for (const list of lists) {
    for (const neighbor of list) targets.push(neighbor);
    ends.push(targets.length);
  }
  return { ends: Int32Array.from(ends), targets: Int32Array.from(targets) };
}
