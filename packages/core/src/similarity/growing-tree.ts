import type { AttachedStranger, StoredTree } from '../groups/followed-faces.ts';
import { inTurns } from './in-turns.ts';

/** A face to attach. */
export interface ArrivingFace {
  readonly id: number;
  readonly confidence: number;
  /** L2-normalized. */
  readonly vector: Float32Array;
  /** The id of the nearest face that the tree has; null if no face is near. */
  readonly nearest: number | null;
}

interface Leaf {
  readonly id: number;
  readonly confidence: number;
  parent: Joining | null;
}

interface Joining {
  left: Node;
  right: Node;
  readonly cosine: number;
  parent: Joining | null;
}

type Node = Leaf | Joining;

/** The most faces of a group with whose mean an arriving face is compared. */
const MOST_COMPARED = 500;

/**
 * A tree to which faces are attached until all groups are linked again. A face joins the group of its nearest face that it
 * is more similar to than the group is to the one that it is joined with next. Groups that would have been joined
 * differently because of the face stay as they are.
 */
export class GrowingTree {
  readonly #leaves = new Map<number, Leaf>();
  readonly #attached: AttachedStranger[] = [];

  /** @param attached strangers that were attached before */
  static async of(
    { faces, confidences, parts, cosines }: StoredTree,
    attached: readonly AttachedStranger[] = [],
  ): Promise<GrowingTree> {
    const tree = new GrowingTree();
    const nodes: Node[] = [];
    await inTurns(faces.entries(), ([face, id]) => {
      const leaf: Leaf = { id, confidence: confidences[face]!, parent: null };
      nodes.push(leaf);
      tree.#leaves.set(id, leaf);
    });
    await inTurns(cosines.entries(), ([index, cosine]) => {
      const left = nodes[parts[2 * index]!]!;
      const right = nodes[parts[2 * index + 1]!]!;
      const joining: Joining = { left, right, cosine, parent: null };
      left.parent = right.parent = joining;
      nodes.push(joining);
    });
    await inTurns(attached, (stranger) => tree.#place(stranger));
    return tree;
  }

  has(face: number): boolean {
    return this.#leaves.has(face);
  }

  /** The faces that were attached, in their order. */
  get attached(): readonly AttachedStranger[] {
    return this.#attached;
  }

  /**
   * Attaches a face to the tree.
   *
   * @param vectorsOf returns the vectors of faces of the tree, without those that are not known any more
   */
  async attach(
    face: ArrivingFace,
    vectorsOf: (ids: readonly number[]) => Promise<readonly Float32Array[]>,
  ): Promise<void> {
    const { id, confidence, nearest } = face;
    const cosine = nearest === null ? null : await this.#cosineOf(face, nearest, vectorsOf);
    this.#place({ id, confidence, joined: cosine === null ? null : { face: nearest!, cosine } });
  }

  /** Returns the cosine of a face with the group that it joins, within the bounds of the joinings around it. */
  async #cosineOf(
    face: ArrivingFace,
    nearest: number,
    vectorsOf: (ids: readonly number[]) => Promise<readonly Float32Array[]>,
  ): Promise<number> {
    let node: Node = this.#leaves.get(nearest)!;
    const sum = new Float64Array(face.vector.length);
    let size = addAll(sum, await vectorsOf(idsBelow(node)));
    let cosine = similarityTo(face.vector, sum, size);
    for (;;) {
      const above: Joining | null = node.parent;
      if (above === null || cosine >= above.cosine) break;
      const ids = idsBelow(above.left === node ? above.right : above.left);
      // A larger group is not compared as a whole. The face joins it at its cosine with this part of it.
      if (size + ids.length > MOST_COMPARED) return cosine;
      size += addAll(sum, await vectorsOf(ids));
      cosine = similarityTo(face.vector, sum, size);
      node = above;
    }
    const within = 'cosine' in node ? node.cosine : 1;
    return Math.max(Math.min(cosine, within), node.parent?.cosine ?? -1);
  }

  /** Joins a face with the largest group of the other one whose joinings have a higher cosine. */
  #place(attached: AttachedStranger): void {
    const { id, confidence, joined } = attached;
    const leaf: Leaf = { id, confidence, parent: null };
    this.#leaves.set(id, leaf);
    this.#attached.push(attached);
    if (joined === null) return;
    let node: Node = this.#leaves.get(joined.face)!;
    while (node.parent !== null && node.parent.cosine > joined.cosine) node = node.parent;
    const above = node.parent;
    const joining: Joining = { left: node, right: leaf, cosine: joined.cosine, parent: above };
    if (above?.left === node) above.left = joining;
    else if (above !== null) above.right = joining;
    node.parent = leaf.parent = joining;
  }

  toStored(): StoredTree {
    const leaves = [...this.#leaves.values()].sort((a, b) => a.id - b.id);
    const numbers = new Map<Node, number>(leaves.map((leaf, number) => [leaf, number]));
    const parts: number[] = [];
    const cosines: number[] = [];
    for (const joining of inOrder(leaves)) {
      numbers.set(joining, leaves.length + cosines.length);
      parts.push(numbers.get(joining.left)!, numbers.get(joining.right)!);
      cosines.push(joining.cosine);
    }
    return {
      faces: Float64Array.from(leaves, ({ id }) => id),
      confidences: Float64Array.from(leaves, ({ confidence }) => confidence),
      parts: Int32Array.from(parts),
      cosines: Float64Array.from(cosines),
    };
  }
}

/** The joinings above the leaves, each after those within it. */
function* inOrder(leaves: readonly Leaf[]): Generator<Joining> {
  const met = new Set<Joining>();
  for (const leaf of leaves) {
    // The second of the two parts that reaches a joining goes on to the one above.
    for (let above = leaf.parent; above !== null; above = above.parent) {
      if (!met.delete(above)) {
        met.add(above);
        break;
      }
      yield above;
    }
  }
}

function idsBelow(node: Node): readonly number[] {
  const ids: number[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('cosine' in next) open.push(next.left, next.right);
    else ids.push(next.id);
  }
  return ids;
}

/** Returns how many vectors were added. */
function addAll(sum: Float64Array, vectors: readonly Float32Array[]): number {
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!;
  return vectors.length;
}

/** The similarity of a face and a group, by the rule of {@link linkGroups}. */
function similarityTo(vector: Float32Array, sum: Float64Array, size: number): number {
  let product = 0;
  let squares = 0;
  for (const [at, value] of sum.entries()) {
    product += value * vector[at]!;
    squares += value * value;
  }
  const scale = Math.sqrt(size * Math.sqrt(squares));
  return scale === 0 ? 0 : product / scale;
}
