import { Heap } from './heap.ts';

/** Faces in ascending order of their ids. */
export interface LinkedFaces {
  /** L2-normalized, all of the same length. */
  readonly vectors: readonly Float32Array[];
  /** The positions of each face's neighbors. Two faces are linked if one is a neighbor of the other. */
  readonly neighbors: readonly Iterable<number>[];
}

/** Two nodes of a tree that are joined. A node below the number of faces is a face, the others are joinings, in order. */
export interface Joining {
  /** The node with the lowest face of both. */
  readonly left: number;
  readonly right: number;
  /** The least cosine of this joining and all joinings within it, -1..1. */
  readonly cosine: number;
}

/** All joinings of a set of faces, most similar first. */
export interface GroupTree {
  readonly faces: number;
  readonly joinings: readonly Joining[];
}

/**
 * Joins faces into groups, the most similar two groups first, until no two groups are linked. Groups are linked if two of
 * their faces are. With mA and mB the means of two groups, their cosine is mA·mB / sqrt(|mA| |mB|): the geometric mean of
 * how similar the faces of each are, on average, to the normalized mean of the other. Two groups with the same cosine are
 * joined in the order of their lowest faces, so the tree depends only on the faces and their links.
 *
 * Each joining adds the vectors of two groups in float64. A joining of n links of a group costs n products of vectors.
 *
 * @throws RangeError if the vectors have different lengths
 */
export function linkGroups({ vectors, neighbors }: LinkedFaces): GroupTree {
  const groups = vectors.map(groupOfFace);
  for (const [face, near] of neighbors.entries()) {
    for (const other of near) link(groups[face]!, groups[other]!);
  }
  const pairs = new Heap(precedes);
  for (const group of groups) pushFirst(group, pairs);
  const joinings: Joining[] = [];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const { one, other } = pair;
    if (one.first !== pair) continue;
    if (!one.linked.has(other)) {
      // The other group has been joined. Only now is the search for the next pair worth its time.
      pushFirst(one, pairs);
      continue;
    }
    const group = join(pair, vectors.length + joinings.length, pairs);
    const [left, right] = one.lowest === pair.low ? [one, other] : [other, one];
    joinings.push({ left: left.node, right: right.node, cosine: group.cosine });
  }
  return { faces: vectors.length, joinings };
}

/**
 * Returns the groups of at least two faces whose cosine is at least the given one. The faces of a group ascend; the groups
 * are in the order of their lowest faces.
 */
export function groupsOf({ faces, joinings }: GroupTree, cosine: number): number[][] {
  // The group of a node is that of the joining above it, if that one counts. Joinings come after the nodes within them.
  const groupOf = Array.from({ length: faces + joinings.length }, (_, node) => node);
  for (const [index, { left, right, cosine: reached }] of [...joinings.entries()].reverse()) {
    if (reached < cosine) continue;
    groupOf[left] = groupOf[right] = groupOf[faces + index]!;
  }
  const groups = Map.groupBy(Array(faces).keys(), (face) => groupOf[face]!);
  return [...groups.values()].filter((members) => members.length > 1);
}

/** Faces that are joined. */
interface Group {
  /** The group's node in the tree. */
  readonly node: number;
  /** The lowest face. */
  readonly lowest: number;
  readonly size: number;
  readonly sum: Float32Array | Float64Array;
  /** The length of the sum. */
  readonly norm: number;
  /** The least cosine of its joinings. */
  readonly cosine: number;
  /** The groups with a face that is linked to one of this group, and their cosines with this group. */
  readonly linked: Map<Group, number>;
  /**
   * The group's pair in the heap, which none of its pairs precedes. The other group may have been joined since. Null if the
   * group is linked with no other or has been joined.
   */
  first: Pair | null;
}

interface Pair {
  readonly one: Group;
  readonly other: Group;
  readonly cosine: number;
  /** The lowest faces of both groups, in ascending order. */
  readonly low: number;
  readonly high: number;
}

function groupOfFace(vector: Float32Array, face: number): Group {
  const group = { node: face, lowest: face, size: 1, sum: vector, norm: normOf(vector) };
  return { ...group, cosine: 1, linked: new Map(), first: null };
}

function link(one: Group, other: Group): void {
  if (one !== other && !one.linked.has(other)) setCosine(one, other);
}

function setCosine(one: Group, other: Group): void {
  const scale = Math.sqrt(one.size * other.size * one.norm * other.norm);
  const cosine = scale === 0 ? 0 : productOf(one.sum, other.sum) / scale;
  one.linked.set(other, cosine);
  other.linked.set(one, cosine);
}

/** Joins a pair of groups, and puts the new group in the place of both in the groups that are linked with them. */
function join({ one, other, cosine }: Pair, node: number, pairs: Heap<Pair>): Group {
  const sum = Float64Array.from(one.sum);
  for (let index = 0; index < sum.length; index++) sum[index]! += other.sum[index]!;
  const group: Group = {
    node,
    lowest: Math.min(one.lowest, other.lowest),
    size: one.size + other.size,
    sum,
    norm: normOf(sum),
    cosine: Math.min(cosine, one.cosine, other.cosine),
    linked: new Map(),
    first: null,
  };
  const linked = new Set([...one.linked.keys(), ...other.linked.keys()]);
  linked.delete(one);
  linked.delete(other);
  for (const each of linked) {
    each.linked.delete(one);
    each.linked.delete(other);
    setCosine(group, each);
    pushIfFirst(pairOf(each, group), pairs);
  }
  for (const part of [one, other]) {
    part.linked.clear();
    part.first = null;
  }
  pushFirst(group, pairs);
  return group;
}

/** Finds the first pair of a group, and pushes it. */
function pushFirst(group: Group, pairs: Heap<Pair>): void {
  group.first = null;
  for (const [other, cosine] of group.linked) {
    // Most pairs are less similar.
    if (group.first !== null && cosine < group.first.cosine) continue;
    const pair = pairOf(group, other);
    if (group.first === null || precedes(pair, group.first)) group.first = pair;
  }
  if (group.first !== null) pairs.push(group.first);
}

/** Pushes a new pair, if it precedes the present first pair of its group. */
function pushIfFirst(pair: Pair, pairs: Heap<Pair>): void {
  const { one } = pair;
  if (!precedes(pair, one.first!)) return;
  one.first = pair;
  pairs.push(pair);
}

function pairOf(one: Group, other: Group): Pair {
  const [low, high] =
    one.lowest < other.lowest ? [one.lowest, other.lowest] : [other.lowest, one.lowest];
  return { one, other, cosine: one.linked.get(other)!, low, high };
}

/** Whether a pair is more similar than another, or as similar with lower faces. */
function precedes(pair: Pair, other: Pair): boolean {
  if (pair.cosine !== other.cosine) return pair.cosine > other.cosine;
  return pair.low === other.low ? pair.high < other.high : pair.low < other.low;
}

function normOf(vector: Float32Array | Float64Array): number {
  return Math.sqrt(productOf(vector, vector));
}

function productOf(a: Float32Array | Float64Array, b: Float32Array | Float64Array): number {
  if (a.length !== b.length) {
    throw new RangeError(`Embeddings of ${a.length} and ${b.length} values cannot be compared.`);
  }
  let product = 0;
  for (let index = 0; index < a.length; index++) product += a[index]! * b[index]!;
  return product;
}
