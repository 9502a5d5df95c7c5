import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { HttpError } from '@sightline/platform/http/http-errors';

/** The shortest time between two refusals of one environment, in ms. */
const INTERVAL_MS = 25;
/** The longest delay of a refusal, in ms. It is shorter than the usual timeouts of clients. */
const MAX_DELAY_MS = 5_000;

/**
 * Delays responses that refuse a request for lack of room, so that each environment gets at most one per interval.
 * The delay slows down clients that ignore Retry-After and retry at once. A single refusal is not delayed.
 */
export class RefusalPacing {
  readonly #now: () => number;
  /** For each environment, the earliest time of its next refusal, in ms. The last entry is the one that changed last. */
  readonly #next = new Map<string, number>();

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs the work and rethrows its errors, after a delay if the error is a refusal for lack of room. */
  async run(work: () => Promise<void>, tenant: Tenant, signal: AbortSignal): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isOverload(error)) await sleep(this.delayOf(tenant), undefined, { signal });
      throw error;
    }
  }

  /** Reserves the time of the next refusal. @returns the delay of that refusal, in ms */
  delayOf({ environment }: Tenant): number {
    const now = this.#now();
    this.#forget(now);
    const sentAt = Math.max(now, this.#next.get(environment) ?? 0);
    const delay = Math.min(sentAt - now, MAX_DELAY_MS);
    this.#next.delete(environment);
    this.#next.set(environment, now + delay + INTERVAL_MS);
    return delay;
  }

  #forget(now: number): void {
    for (const [environment, sentAt] of this.#next) {
      if (sentAt > now) return;
      this.#next.delete(environment);
    }
  }
}

function isOverload(error: unknown): boolean {
  if (error instanceof HttpError) return error.code === 'overloaded';
  return error instanceof InferenceOverloaded;
}
