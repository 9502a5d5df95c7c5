import type { GrownTree } from './grown-tree.ts';

/** The groups of a tree at a threshold. Groups and members are positions in typed arrays. */
export interface TreeCut {
  /** The faces of all groups, one group after the other, by descending confidence and ascending id. */
  readonly members: Int32Array;
  /** The position in `members` at which each group begins, and the length of `members`. The largest group is first. */
  readonly starts: Int32Array;
  /** The group of each face of the tree; -1 for a face in no group. */
  readonly groupOf: Int32Array;
}

/**
 * Finds the groups of at least two faces whose joinings have at least the given cosine. The groups are in the order of
 * {@link compareGroups}.
 */
export function cutTree(grown: GrownTree, cosine: number): TreeCut {
  const { tree, ordered } = grown;
  const count = tree.faces.length;
  const rootOf = rootsAt(grown, cosine);
  const sizeOf = new Int32Array(rootOf.length);
  for (let face = 0; face < count; face++) sizeOf[rootOf[face]!]!++;
  // A root is met first at its most confident face, so the roots are in the order of those faces.
  const roots: number[] = [];
  const isMet = new Uint8Array(rootOf.length);
  for (const face of ordered) {
    const root = rootOf[face]!;
    if (sizeOf[root]! < 2 || isMet[root] === 1) continue;
    isMet[root] = 1;
    roots.push(root);
  }
  roots.sort((a, b) => sizeOf[b]! - sizeOf[a]!);
  const starts = new Int32Array(roots.length + 1);
  const groupOfRoot = new Int32Array(rootOf.length).fill(-1);
  for (const [group, root] of roots.entries()) {
    groupOfRoot[root] = group;
    starts[group + 1] = starts[group]! + sizeOf[root]!;
  }
  const members = new Int32Array(starts[roots.length]!);
  const next = starts.slice();
  const groupOf = new Int32Array(count).fill(-1);
  for (const face of ordered) {
    const group = groupOfRoot[rootOf[face]!]!;
    groupOf[face] = group;
    if (group !== -1) members[next[group]!++] = face;
  }
  return { members, starts, groupOf };
}

/** The root of each node: that of the joining above it, if that one counts. Faces with one root are a group. */
function rootsAt({ tree, attached }: GrownTree, cosine: number): Int32Array {
  const { faces, parts, cosines } = tree;
  const rootOf = Int32Array.from({ length: faces.length + cosines.length }, (_, node) => node);
  // Joinings come after the nodes within them.
  for (let joining = cosines.length - 1; joining >= 0; joining--) {
    if (cosines[joining]! < cosine) continue;
    const root = rootOf[faces.length + joining]!;
    rootOf[parts[2 * joining]!] = root;
    rootOf[parts[2 * joining + 1]!] = root;
  }
  for (const [index, face] of attached.faces.entries()) {
    if (attached.cosines[index]! >= cosine) rootOf[face] = rootOf[attached.joined[index]!]!;
  }
  return rootOf;
}
