/** A binary heap, whose first item precedes all others. */
export class Heap<Item> {
  readonly #precedes: (one: Item, other: Item) => boolean;
  readonly #items: Item[] = [];

  constructor(precedes: (one: Item, other: Item) => boolean) {
    this.#precedes = precedes;
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    for (let parent = (at - 1) >> 1; at > 0; parent = (at - 1) >> 1) {
      const above = items[parent]!;
      if (!this.#precedes(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes and returns the first item; undefined if there is none. */
  pop(): Item | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (this.#items.length > 0) this.#sink(last!);
    return first;
  }

  /** Puts an item at the place of the first one, and moves it behind the items that precede it. */
  #sink(item: Item): void {
    const items = this.#items;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < items.length && this.#precedes(items[right]!, items[child]!)) child = right;
      if (!this.#precedes(items[child]!, item)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}
