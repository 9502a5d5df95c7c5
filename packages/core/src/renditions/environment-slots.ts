/** Lets few pieces of work of each environment run at the same time. The others wait in their order. */
export class EnvironmentSlots {
  readonly #most: number;
  /** The number of pieces at work, and those that wait, of each environment that has any. */
  readonly #places = new Map<number, { atWork: number; readonly waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(environmentId: number, work: () => Promise<T>): Promise<T> {
    const place = this.#places.get(environmentId) ?? { atWork: 0, waiting: [] };
    this.#places.set(environmentId, place);
    if (place.atWork < this.#most) place.atWork += 1;
    else await new Promise<void>((resolve) => place.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = place.waiting.shift();
      // The place passes to the next one, so that no later call gets it first.
      if (next !== undefined) next();
      else if (--place.atWork === 0) this.#places.delete(environmentId);
    }
  }
}
