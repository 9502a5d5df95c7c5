import type { Holder } from '@sightline/platform/resilience/fair-shares';

/** The most requests that may wait for changes of one environment, and for one caller. */
const PER_ENVIRONMENT = 20;
const PER_CALLER = 5;

/** Counts the requests that wait for a change, which are not among the requests in progress. */
export class WaitingRequests {
  readonly #most: number;
  readonly #byEnvironment = new Map<string, number>();
  readonly #byCaller = new Map<string, number>();
  #count = 0;

  /** @param most the most requests that may wait in this process */
  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Counts a request, unless there is no room. Returns whether it was counted. */
  take(holder: Holder): boolean {
    const isWithin =
      this.#count < this.#most &&
      (this.#byEnvironment.get(holder.environment) ?? 0) < PER_ENVIRONMENT &&
      (this.#byCaller.get(callerOf(holder)) ?? 0) < PER_CALLER;
    if (isWithin) this.#add(holder, 1);
    return isWithin;
  }

  giveBack(holder: Holder): void {
    this.#add(holder, -1);
  }

  #add(holder: Holder, change: 1 | -1): void {
    this.#count += change;
    add(this.#byEnvironment, holder.environment, change);
    add(this.#byCaller, callerOf(holder), change);
  }
}

function callerOf({ environment, caller }: Holder): string {
  return `${environment} ${caller}`;
}

/** Names that hold nothing are removed, because their number is unbounded. */
function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
