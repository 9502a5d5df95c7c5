import type { StoredTree } from '../groups/followed-faces.ts';
import type { TreeCut } from './cut-tree.ts';
import { positionOf } from './grown-tree.ts';

/** A group without the faces that have departed. */
export interface LiveGroup {
  readonly size: number;
  /** The first face: the most confident one, or of equally confident ones the one with the lowest id. */
  readonly confidence: number;
  readonly firstId: number;
  /** The number of the group in its cut. */
  readonly group: number;
}

/** The place of a group in the list. */
export type GroupPosition = Omit<LiveGroup, 'group'>;

/** Sorts the largest group first; of equal groups the one with the more confident first face, then the lower id. */
export function compareGroups(a: GroupPosition, b: GroupPosition): number {
  return b.size - a.size || b.confidence - a.confidence || a.firstId - b.firstId;
}

/** The groups of a cut as they are now: without faces that have departed, and without groups of less than two. */
export class LiveGroups {
  readonly #tree: StoredTree;
  readonly #cut: TreeCut;
  readonly #departed: ReadonlySet<number>;
  /** The groups that a departed face belongs to. */
  readonly #touched: ReadonlySet<number>;
  /** The touched groups in the order of the list. */
  readonly #changed: readonly LiveGroup[];

  /** @param departed the ids of faces that are no strangers any more */
  constructor(tree: StoredTree, cut: TreeCut, departed: readonly number[]) {
    this.#tree = tree;
    this.#cut = cut;
    this.#departed = new Set(
      departed.map((id) => positionOf(tree.faces, id)).filter((at) => at !== -1),
    );
    const groups = [...this.#departed].map((face) => cut.groupOf[face]!);
    this.#touched = new Set(groups.filter((group) => group !== -1));
    this.#changed = [...this.#touched]
      .map((group) => this.#toLive(group, this.#presentOf(group)))
      .filter(({ size }) => size > 1)
      .sort(compareGroups);
  }

  get count(): number {
    return this.#cut.starts.length - 1 - this.#touched.size + this.#changed.length;
  }

  /** The number of faces in all groups. */
  get faces(): number {
    const sizeOf = (group: number) => this.#cut.starts[group + 1]! - this.#cut.starts[group]!;
    const lost = [...this.#touched].reduce((sum, group) => sum + sizeOf(group), 0);
    const kept = this.#changed.reduce((sum, { size }) => sum + size, 0);
    return this.#cut.members.length - lost + kept;
  }

  /** The groups behind a position, at most `limit`. */
  page(after: GroupPosition | null, limit: number): readonly LiveGroup[] {
    const follows = (group: LiveGroup): boolean =>
      after === null || compareGroups(after, group) < 0;
    const changed = this.#changed.filter(follows).slice(0, limit);
    const unchanged: LiveGroup[] = [];
    const { starts } = this.#cut;
    for (let group = 0; group < starts.length - 1 && unchanged.length < limit; group++) {
      // The groups are in the order of their sizes, so most of them need no closer look.
      if (after !== null && starts[group + 1]! - starts[group]! > after.size) continue;
      if (this.#touched.has(group)) continue;
      const live = this.#toLive(group, this.#membersOf(group));
      if (follows(live)) unchanged.push(live);
    }
    return [...unchanged, ...changed].sort(compareGroups).slice(0, limit);
  }

  /** The group of a face; null if it is in none. */
  of(id: number): LiveGroup | null {
    const position = positionOf(this.#tree.faces, id);
    const group = position === -1 ? -1 : this.#cut.groupOf[position]!;
    if (group === -1 || this.#departed.has(position)) return null;
    const live = this.#toLive(group, this.#presentOf(group));
    return live.size > 1 ? live : null;
  }

  /** The ids of the faces of a group, by descending confidence, then by ascending id. */
  idsOf(group: number): readonly number[] {
    return Array.from(this.#presentOf(group), (face) => this.#tree.faces[face]!);
  }

  /** The confidences of the faces of a group, in the order of {@link LiveGroups.idsOf}. */
  confidencesOf(group: number): readonly number[] {
    return Array.from(this.#presentOf(group), (face) => this.#tree.confidences[face]!);
  }

  /** The positions of the faces of a group in the tree, without those that have departed. */
  #presentOf(group: number): Int32Array {
    const members = this.#membersOf(group);
    return this.#touched.has(group) ? members.filter((face) => !this.#departed.has(face)) : members;
  }

  #membersOf(group: number): Int32Array {
    const { members, starts } = this.#cut;
    return members.subarray(starts[group], starts[group + 1]);
  }

  #toLive(group: number, members: Int32Array): LiveGroup {
    const { faces, confidences } = this.#tree;
    const first = members[0] ?? 0;
    return { size: members.length, confidence: confidences[first]!, firstId: faces[first]!, group };
  }
}
