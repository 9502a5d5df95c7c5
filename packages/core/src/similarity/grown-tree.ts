import type { AttachedStranger, StoredTree } from '../groups/followed-faces.ts';

/** A tree and the strangers that were attached to it. Faces are positions in the tree. */
export interface GrownTree {
  /** All faces, and the joinings of those that were linked. */
  readonly tree: StoredTree;
  /** The faces by descending confidence, then by ascending id. */
  readonly ordered: Int32Array;
  /** The faces that were attached to a face, in their order, with the cosines, as parallel arrays. */
  readonly attached: {
    readonly faces: Int32Array;
    readonly joined: Int32Array;
    readonly cosines: Float64Array;
  };
}

const NONE_ATTACHED: GrownTree['attached'] = {
  faces: new Int32Array(),
  joined: new Int32Array(),
  cosines: new Float64Array(),
};

export function grownTree(tree: StoredTree): GrownTree {
  const { faces, confidences } = tree;
  // The faces ascend by id, so equal confidences keep the order of their positions.
  const ordered = Int32Array.from(faces.keys()).sort(
    (a, b) => confidences[b]! - confidences[a]! || a - b,
  );
  return { tree, ordered, attached: NONE_ATTACHED };
}

/** Attaches strangers to a tree that has none yet. */
export function withAttached(linked: GrownTree, strangers: readonly AttachedStranger[]): GrownTree {
  if (strangers.length === 0) return linked;
  const { tree } = linked;
  const faces = new Float64Array(tree.faces.length + strangers.length);
  faces.set(tree.faces);
  for (const [index, { id }] of strangers.entries()) faces[tree.faces.length + index] = id;
  faces.sort();
  const moved = tree.faces.map((id) => positionOf(faces, id));
  const added = strangers.map(({ id }) => positionOf(faces, id));
  const confidences = new Float64Array(faces.length);
  for (const [face, at] of moved.entries()) confidences[at] = tree.confidences[face]!;
  for (const [index, at] of added.entries()) confidences[at] = strangers[index]!.confidence;
  const parts = tree.parts.map((node) => moved[node] ?? node + strangers.length);
  const compare = (a: number, b: number) => confidences[b]! - confidences[a]! || a - b;
  const joined = strangers.flatMap(({ id, joined: to }) => (to === null ? [] : [{ id, ...to }]));
  return {
    tree: { faces, confidences, parts, cosines: tree.cosines },
    ordered: merge(
      linked.ordered.map((face) => moved[face]!),
      Int32Array.from(added).sort(compare),
      compare,
    ),
    attached: {
      faces: Int32Array.from(joined, ({ id }) => positionOf(faces, id)),
      joined: Int32Array.from(joined, ({ face }) => positionOf(faces, face)),
      cosines: Float64Array.from(joined, ({ cosine }) => cosine),
    },
  };
}

function merge(
  one: Int32Array,
  other: Int32Array,
  compare: (a: number, b: number) => number,
): Int32Array {
  const merged = new Int32Array(one.length + other.length);
  let taken = 0;
  for (const [at] of merged.entries()) {
    const [a, b] = [one[at - taken], other[taken]];
    const takesOther = b !== undefined && (a === undefined || compare(b, a) < 0);
    merged[at] = takesOther ? b : a!;
    if (takesOther) taken++;
  }
  return merged;
}

/** The position of a face in a tree whose faces have these ids; -1 if it is none of them. */
export function positionOf(faces: Float64Array, id: number): number {
  let low = 0;
  let high = faces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (faces[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return faces[low] === id ? low : -1;
}
