import type { StoredTree } from '../../groups/followed-faces.ts';
import { byConfidence, cutTree } from '../cut-tree.ts';
import { linkGroups } from '../link-groups.ts';
import { packNeighbors } from '../pack-neighbors.ts';

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
export function groupsOf(tree: StoredTree, cosine: number): number[][] {
  const { members, starts } = cutTree(tree, cosine, byConfidence(tree));
  const groups = Array.from({ length: starts.length - 1 }, (_, group) =>
    Array.from(members.subarray(starts[group], starts[group + 1]), (face) => tree.faces[face]!),
  );
  return groups.sort(([a], [b]) => a! - b!);
}
