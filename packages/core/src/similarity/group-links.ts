/**
 * The links between groups, and their cosines. A group has the number of its lowest face. The two directions of a link have
 * the numbers 2n and 2n + 1.
 */
export class GroupLinks {
  /** The links from each group, some of which may have been removed. */
  readonly #lists: number[][];
  /** The group that each link leads to; -1 if the link was removed. */
  readonly #others: Int32Array;
  /** The cosine of both directions. */
  readonly #cosines: Float64Array;
  #end = 0;
  /** The number of the last list that each group was found in. */
  readonly #foundIn: Int32Array;
  #list = 0;

  constructor(groups: number, most: number) {
    this.#lists = Array.from({ length: groups }, () => []);
    this.#others = new Int32Array(2 * most);
    this.#cosines = new Float64Array(most);
    this.#foundIn = new Int32Array(groups);
  }

  otherOf(link: number): number {
    return this.#others[link]!;
  }

  cosineOf(link: number): number {
    return this.#cosines[link >> 1]!;
  }

  setCosine(link: number, cosine: number): void {
    this.#cosines[link >> 1] = cosine;
  }

  /** Links a group with others, unless they are linked. Returns the new links from the group. */
  add(group: number, others: Iterable<number>): readonly number[] {
    const list = ++this.#list;
    this.#foundIn[group] = list;
    for (const link of this.#lists[group]!) this.#foundIn[this.#others[link]!] = list;
    const added: number[] = [];
    for (const other of others) {
      if (this.#foundIn[other] === list) continue;
      this.#foundIn[other] = list;
      added.push(this.#append(group, other));
      this.#append(other, group);
    }
    return added;
  }

  #append(group: number, other: number): number {
    this.#others[this.#end] = other;
    this.#lists[group]!.push(this.#end);
    return this.#end++;
  }

  /** Gives the links of another group to a group. Returns all links from the group. */
  join(group: number, joined: number): readonly number[] {
    const list = ++this.#list;
    const others = this.#others;
    this.#foundIn[group] = this.#foundIn[joined] = list;
    const links: number[] = [];
    for (const part of [group, joined]) {
      for (const link of this.#lists[part]!) {
        const other = others[link]!;
        if (other === -1) continue;
        if (this.#foundIn[other] === list) {
          others[link] = others[link ^ 1] = -1;
          continue;
        }
        this.#foundIn[other] = list;
        others[link ^ 1] = group;
        links.push(link);
      }
      this.#lists[part] = [];
    }
    this.#lists[group] = links;
    return links;
  }

  /** The link from a group with the highest cosine, or of several to the lowest group; undefined if there is none. */
  nearest(group: number): number | undefined {
    let nearest: number | undefined;
    for (const link of this.#lists[group]!) {
      if (this.#others[link] === -1) continue;
      if (nearest === undefined || this.#precedes(link, nearest)) nearest = link;
    }
    return nearest;
  }

  #precedes(link: number, other: number): boolean {
    const [one, two] = [this.cosineOf(link), this.cosineOf(other)];
    return one === two ? this.#others[link]! < this.#others[other]! : one > two;
  }
}
