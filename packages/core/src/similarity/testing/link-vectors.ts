import type { AttachedStranger, StoredTree } from '../../groups/followed-faces.ts';
import { cutTree } from '../cut-tree.ts';
import { grownTree, withAttached } from '../grown-tree.ts';
import { linkGroups } from '../link-groups.ts';
import { packNeighbors } from './pack-neighbors.ts';

/** Links faces, whose ids are their positions, into a tree. */
export function linkVectors(
  vectors: readonly Float32Array[],
  neighbors: Iterable<Iterable<number>>,
): StoredTree {
  const packed = new Float32Array(vectors.length * (vectors[0]?.length ?? 0));
  for (const [face, vector] of vectors.entries()) packed.set(vector, face * vector.length);
  return {
    faces: Float64Array.from(vectors.keys()),
    confidences: new Float64Array(vectors.length).fill(1),
    ...linkGroups({ vectors: packed, faces: vectors.length, ...packNeighbors(neighbors) }),
  };
}

/** The ids of the groups of a tree, in the order of their lowest faces. */
export function groupsOf(
  linked: StoredTree,
  cosine: number,
  attached: readonly AttachedStranger[] = [],
): number[][] {
  const grown = withAttached(grownTree(linked), attached);
  const { members, starts } = cutTree(grown, cosine);
  const groups = Array.from({ length: starts.length - 1 }, (_, group) =>
    Array.from(
      members.subarray(starts[group], starts[group + 1]),
      (face) => grown.tree.faces[face]!,
    ),
  );
  return groups.sort(([a], [b]) => a! - b!);
}
