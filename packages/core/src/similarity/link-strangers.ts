import type { StoredTree } from '../groups/followed-faces.ts';
import type { FacesToLink, GroupLinker } from './group-linker.ts';
import type { NeighborLists } from './neighbor-lists.ts';
import type { StrangerVectors } from './open-face-vectors.ts';
import { packNeighbors } from './pack-neighbors.ts';
import type { SpaceMemory } from './space-memory.ts';

interface StrangersToLink extends Pick<SpaceMemory, 'strangers'> {
  readonly vectors: StrangerVectors;
  readonly lists: Pick<NeighborLists, 'of'>;
}

/** Links strangers into a tree of groups. The vectors move to the linker. @throws as {@link GroupLinker.link} */
export async function linkStrangers(
  linker: GroupLinker,
  { vectors, strangers, lists }: StrangersToLink,
  signal?: AbortSignal,
): Promise<StoredTree> {
  const { ids: faces } = vectors;
  const confidences = Float64Array.from(faces, (id) => strangers.get(id)?.confidence ?? 0);
  return { faces, confidences, ...(await linker.link(packFaces(vectors, lists), signal)) };
}

/** Packs strangers and the lists of their neighbors. */
function packFaces(
  { ids, vectors }: StrangerVectors,
  lists: Pick<NeighborLists, 'of'>,
): FacesToLink {
  const positions = new Map(Array.from(ids, (id, position) => [id, position]));
  function* neighborPositions(): Generator<readonly number[]> {
    for (const id of ids) {
      const neighbors = lists.of(id)?.ids ?? [];
      yield neighbors.flatMap((neighbor) => positions.get(neighbor) ?? []);
    }
  }
  return { vectors, faces: ids.length, ...packNeighbors(neighborPositions()) };
}
