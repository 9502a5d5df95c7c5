/** A list of waiting items with its own order. */
export interface Line<Item> {
  readonly isEmpty: boolean;
  shift(): Item | undefined;
}

interface Flow<Own> {
  readonly line: Own;
  /** The virtual time at which the line's next turn begins. */
  start: number;
}

/**
 * Named lines that take turns: start-time fair queueing (Goyal, Vin and Cheng, 1996) in which every
 * item costs one turn. A line that was empty is next, before the lines that have had their turn in
 * this round. A line that empties and immediately gets items again waits for the next round like
 * the other lines.
 */
export class Rotation<Item, Own extends Line<Item>> implements Line<Item> {
  readonly #open: () => Own;
  readonly #flows = new Map<string, Flow<Own>>();
  /** The virtual time, which is the start of the latest turn. */
  #now = 0;

  /** @param open makes an empty line */
  constructor(open: () => Own) {
    this.#open = open;
  }

  get isEmpty(): boolean {
    return this.waiting === 0;
  }

  get waiting(): number {
    return [...this.#flows.values()].filter(({ line }) => !line.isEmpty).length;
  }

  /** Returns the line of this name. The caller must add an item to the line at once. */
  enter(name: string): Own {
    const flow = this.#flows.get(name) ?? { line: this.#open(), start: this.#now };
    if (flow.line.isEmpty) flow.start = Math.max(flow.start, this.#now);
    this.#flows.set(name, flow);
    return flow.line;
  }

  shift(): Item | undefined {
    let next: Flow<Own> | null = null;
    for (const flow of this.#flows.values()) {
      if (!flow.line.isEmpty && (next === null || flow.start < next.start)) next = flow;
    }
    if (next === null) return undefined;
    this.#now = next.start;
    next.start += 1;
    const item = next.line.shift();
    this.#forget();
    return item;
  }

  /** Deletes empty lines whose turn has passed, because a new line would get the same position. */
  #forget(): void {
    for (const [name, { line, start }] of this.#flows) {
      if (line.isEmpty && start <= this.#now) this.#flows.delete(name);
    }
  }
}
