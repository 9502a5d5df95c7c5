/**
 * The clock of the store, as its responses tell it. Between two responses it goes on by the monotonic
 * clock, so that setting the date of this machine changes no age.
 */
export class StoreClock {
  /** The date of the last response minus the monotonic clock at its arrival, in ms. */
  #offset: number | null = null;

  /** @param date the header `Date` of a response (RFC 9110), in whole seconds */
  observe(date: string | undefined): void {
    const told = Date.parse(date ?? '');
    if (!Number.isNaN(told)) this.#offset = told - performance.now();
  }

  /** Time since a moment of the store's clock, in ms; 0 if the store has never told its time. */
  ageOf(moment: Date): number {
    if (this.#offset === null) return 0;
    return Math.max(0, performance.now() + this.#offset - moment.getTime());
  }
}
