/**
 * The clock of the store, set by the dates of its responses. Between two responses the monotonic clock of this machine
 * counts, so that setting this machine's date changes no age.
 */
export class StoreClock {
  /** The date of the last response minus the monotonic clock at its arrival, in ms. */
  #offset: number | null = null;

  /** @param date the header `Date` of a response (RFC 9110), in whole seconds */
  observe(date: string | undefined): void {
    const time = Date.parse(date ?? '');
    if (!Number.isNaN(time)) this.#offset = time - performance.now();
  }

  /** Returns the time since a moment of the store's clock, in ms; 0 if no response had a date yet. */
  ageOf(moment: Date): number {
    if (this.#offset === null) return 0;
    return Math.max(0, performance.now() + this.#offset - moment.getTime());
  }
}
