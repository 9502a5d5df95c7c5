import { FirstPairs, type GroupPair } from './first-pairs.ts';
import type { FacesToLink, PackedJoinings } from './group-linker.ts';
import { GroupLinks } from './group-links.ts';
import { GroupSums } from './group-sums.ts';

/**
 * Joins faces into groups, the most similar two groups first, until no two groups are linked. Two faces are linked if one
 * is a neighbor of the other, and two groups if two of their faces are. With mA and mB the means of two groups, their
 * cosine is mA·mB / sqrt(|mA| |mB|): the geometric mean of how similar the faces of each are, on average, to the normalized
 * mean of the other. Two groups with the same cosine are joined in the order of their lowest faces, so the tree depends
 * only on the faces and their links.
 *
 * Each joining adds the vectors of two groups in float64. A joining of n links of a group costs n products of vectors.
 */
export function linkGroups(faces: FacesToLink): PackedJoinings {
  const groups = new Groups(faces);
  groups.linkFaces(faces);
  while (groups.joinFirst());
  return groups.joinings;
}

/** The groups that faces have joined to. A group has the number of its lowest face. */
class Groups {
  readonly #sums: GroupSums;
  readonly #links: GroupLinks;
  readonly #pairs: FirstPairs;
  /** The node of each group in the tree. */
  readonly #nodes: Int32Array;
  /** The least cosine of the joinings within each group. */
  readonly #leastCosines: Float64Array;
  readonly #parts: number[] = [];
  readonly #cosines: number[] = [];

  constructor(faces: FacesToLink) {
    this.#sums = new GroupSums(faces);
    this.#links = new GroupLinks(faces.faces, faces.targets.length);
    this.#pairs = new FirstPairs(faces.faces);
    this.#nodes = new Int32Array(faces.faces).map((_, face) => face);
    this.#leastCosines = new Float64Array(faces.faces).fill(1);
  }

  get joinings(): PackedJoinings {
    return { parts: Int32Array.from(this.#parts), cosines: Float64Array.from(this.#cosines) };
  }

  linkFaces({ faces, ends, targets }: FacesToLink): void {
    for (let face = 0; face < faces; face++) {
      const neighbors = targets.subarray(ends[face - 1] ?? 0, ends[face]);
      this.#setCosines(face, this.#links.add(face, neighbors));
    }
    for (let face = 0; face < faces; face++) this.#findPair(face);
  }

  /** Joins the groups of the first pair. Returns false if there is none. */
  joinFirst(): boolean {
    const { first } = this.#pairs;
    if (first === null) return false;
    if (this.#nodes[first.other] === first.otherNode) this.#join(first);
    // The other group has been joined. Only now is the search for the next pair worth its time.
    else this.#findPair(first.group);
    return true;
  }

  #join(pair: GroupPair): void {
    const group = Math.min(pair.group, pair.other);
    const joined = Math.max(pair.group, pair.other);
    this.#addJoining(group, joined, pair.cosine);
    this.#sums.add(group, joined);
    this.#setCosines(group, this.#links.join(group, joined));
    this.#pairs.remove(joined);
    this.#findPair(group);
  }

  #addJoining(group: number, joined: number, cosine: number): void {
    const [nodes, leastCosines] = [this.#nodes, this.#leastCosines];
    this.#parts.push(nodes[group]!, nodes[joined]!);
    nodes[group] = nodes.length + this.#cosines.length;
    nodes[joined] = -1;
    leastCosines[group] = Math.min(cosine, leastCosines[group]!, leastCosines[joined]!);
    this.#cosines.push(leastCosines[group]);
  }

  #setCosines(group: number, links: readonly number[]): void {
    const others = links.map((link) => this.#links.otherOf(link));
    const cosines = this.#sums.cosines(group, others);
    for (const link of links) this.#links.setCosine(link, cosines[this.#links.otherOf(link)]!);
  }

  #findPair(group: number): void {
    const link = this.#links.nearest(group);
    if (link === undefined) {
      this.#pairs.remove(group);
      return;
    }
    const other = this.#links.otherOf(link);
    const cosine = this.#links.cosineOf(link);
    this.#pairs.set({ group, other, otherNode: this.#nodes[other]!, cosine });
  }
}
