import type { StoredTree } from '../groups/followed-faces.ts';
import { NEIGHBORS } from '../groups/neighbor-list.ts';
import type { FacesToLink, GroupLinker } from './group-linker.ts';
import { inTurns } from './in-turns.ts';
import type { NeighborLists } from './neighbor-lists.ts';
import type { StrangerVectors } from './open-face-vectors.ts';
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
  const confidences = new Float64Array(faces.length);
  await inTurns(faces.entries(), ([face, id]) => {
    confidences[face] = strangers.get(id)?.confidence ?? 0;
  });
  const packed = await packFaces(vectors, lists);
  return { faces, confidences, ...(await linker.link(packed, signal)) };
}

/** Packs strangers and the lists of their neighbors. */
async function packFaces(
  { ids, vectors }: StrangerVectors,
  lists: Pick<NeighborLists, 'of'>,
): Promise<FacesToLink> {
  const positions = new Map<number, number>();
  await inTurns(ids.entries(), ([position, id]) => positions.set(id, position));
  const ends = new Int32Array(ids.length);
  const targets = new Int32Array(ids.length * NEIGHBORS);
  let end = 0;
  await inTurns(ids.entries(), ([face, id]) => {
    for (const neighbor of lists.of(id)?.ids ?? []) {
      const position = positions.get(neighbor);
      if (position !== undefined) targets[end++] = position;
    }
    ends[face] = end;
  });
  return { vectors, faces: ids.length, ends, targets: targets.slice(0, end) };
}
