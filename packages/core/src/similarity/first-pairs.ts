/** A group and another one that it is linked with. */
export interface GroupPair {
  readonly group: number;
  readonly other: number;
  /** The node of the other group in the tree, when the pair was set. */
  readonly otherNode: number;
  readonly cosine: number;
}

/** A pair of each group, in the order of their cosines, and of equal cosines in that of their lowest faces. */
export class FirstPairs {
  readonly #others: Int32Array;
  readonly #otherNodes: Int32Array;
  /** -Infinity for a group without a pair. */
  readonly #cosines: Float64Array;
  /** A tree: the groups are its second half, and of those at 2n and 2n + 1 the one with the first pair is at n. */
  readonly #winners: Int32Array;

  constructor(groups: number) {
    this.#others = new Int32Array(groups);
    this.#otherNodes = new Int32Array(groups);
    this.#cosines = new Float64Array(groups).fill(-Infinity);
    this.#winners = new Int32Array(2 * groups).map((_, at) => Math.max(0, at - groups));
    for (let at = groups - 1; at > 0; at--) this.#winners[at] = this.#winners[2 * at]!;
  }

  /** The first of all pairs; null if there is none. */
  get first(): GroupPair | null {
    const group = this.#winners[1];
    if (group === undefined || this.#cosines[group] === -Infinity) return null;
    return {
      group,
      other: this.#others[group]!,
      otherNode: this.#otherNodes[group]!,
      cosine: this.#cosines[group]!,
    };
  }

  set({ group, other, otherNode, cosine }: GroupPair): void {
    this.#others[group] = other;
    this.#otherNodes[group] = otherNode;
    this.#cosines[group] = cosine;
    this.#decide(group);
  }

  /** Removes the pair of a group. */
  remove(group: number): void {
    this.#cosines[group] = -Infinity;
    this.#decide(group);
  }

  #decide(group: number): void {
    const winners = this.#winners;
    for (let at = (group + this.#cosines.length) >> 1; at > 0; at >>= 1) {
      const one = winners[2 * at]!;
      const two = winners[2 * at + 1]!;
      winners[at] = this.#precedes(one, two) ? one : two;
    }
  }

  #precedes(one: number, two: number): boolean {
    const [cosines, others] = [this.#cosines, this.#others];
    if (cosines[one] !== cosines[two]) return cosines[one]! > cosines[two]!;
    const [low, lowOfTwo] = [Math.min(one, others[one]!), Math.min(two, others[two]!)];
    if (low !== lowOfTwo) return low < lowOfTwo;
    return Math.max(one, others[one]!) < Math.max(two, others[two]!);
  }
}
