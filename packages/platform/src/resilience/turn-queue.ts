import type { Holder } from './fair-shares.ts';
import { type Line, Rotation } from './rotation.ts';

/**
 * Items in order of arrival. The items are in a set, so that any item can be removed without a
 * search.
 */
class Arrivals<Item> implements Line<Item> {
  readonly #items = new Set<Item>();

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  add(item: Item): void {
    this.#items.add(item);
  }

  delete(item: Item): void {
    this.#items.delete(item);
  }

  shift(): Item | undefined {
    const [first] = this.#items;
    if (first !== undefined) this.#items.delete(first);
    return first;
  }
}

type Callers<Item> = Rotation<Item, Arrivals<Item>>;

/**
 * A queue in which environments take turns, and within an environment its callers take turns. Items
 * of one caller stay in order of arrival.
 */
export class TurnQueue<Item extends object> {
  readonly #environments = new Rotation<Item, Callers<Item>>(
    () => new Rotation(() => new Arrivals()),
  );
  readonly #lineOf = new Map<Item, Arrivals<Item>>();

  get size(): number {
    return this.#lineOf.size;
  }

  get environments(): number {
    return this.#environments.waiting;
  }

  push({ environment, caller }: Holder, item: Item): void {
    const line = this.#environments.enter(environment).enter(caller);
    line.add(item);
    this.#lineOf.set(item, line);
  }

  shift(): Item | undefined {
    const item = this.#environments.shift();
    if (item !== undefined) this.#lineOf.delete(item);
    return item;
  }

  *drain(): Generator<Item> {
    for (let item = this.shift(); item !== undefined; item = this.shift()) yield item;
  }

  /** Returns false if the item does not wait. */
  delete(item: Item): boolean {
    this.#lineOf.get(item)?.delete(item);
    return this.#lineOf.delete(item);
  }
}
