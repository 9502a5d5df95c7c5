import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { HttpError } from '@sightline/platform/http/http-errors';

/** Least time between two refusals of one environment, in ms. */
const INTERVAL_MS = 25;
/** Longest delay of a refusal, in ms: less than the timeout of clients. */
const MAX_DELAY_MS = 5_000;

/**
 * Spaces out refusals for lack of room within each environment. A client that retries at once, ignoring Retry-After, is
 * slowed down at the cost of a timer, however many loops it runs. A single refusal is not delayed.
 */
export class RefusalPacing {
  readonly #now: () => number;
  /** The earliest time of the next refusal of each environment, in the order of the last change. */
  readonly #next = new Map<string, number>();

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Rethrows errors of the work; an error of overload only after its delay. */
  async run(work: () => Promise<void>, tenant: Tenant, signal: AbortSignal): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isOverload(error)) await sleep(this.delayOf(tenant), undefined, { signal });
      throw error;
    }
  }

  /** Reserves the time of the next refusal. @returns its delay in ms */
  delayOf({ environment }: Tenant): number {
    const now = this.#now();
    this.#forget(now);
    const leavesAt = Math.max(now, this.#next.get(environment) ?? 0);
    const delay = Math.min(leavesAt - now, MAX_DELAY_MS);
    this.#next.delete(environment);
    this.#next.set(environment, now + delay + INTERVAL_MS);
    return delay;
  }

  #forget(now: number): void {
    for (const [environment, leavesAt] of this.#next) {
      if (leavesAt > now) return;
      this.#next.delete(environment);
    }
  }
}

function isOverload(error: unknown): boolean {
  if (error instanceof HttpError) return error.code === 'overloaded';
  return error instanceof InferenceOverloaded;
}
