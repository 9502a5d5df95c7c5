import type { Tenant } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';

/**
 * How long a refusal counts for a tenant's next requests, in ms: short, because a place may be free
 * again, and long enough that a flood is refused without being sent.
 */
const COUNTS_MS = 100;

/** Remembers for a moment whom all addresses have refused. */
export class RecentRefusals {
  readonly #now: () => number;
  /** In order of their time. */
  readonly #refused = new Map<
    string,
    { readonly error: InferenceOverloaded; readonly at: number }
  >();

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(tenant: Tenant, error: InferenceOverloaded): void {
    this.#forget();
    const name = nameOf(tenant);
    this.#refused.delete(name);
    this.#refused.set(name, { error, at: this.#now() });
  }

  /** @throws InferenceOverloaded as it was a moment ago */
  throwIfRefused(tenant: Tenant): void {
    this.#forget();
    const refusal = this.#refused.get(nameOf(tenant));
    if (refusal !== undefined) throw new InferenceOverloaded(refusal.error.retryAfterSeconds);
  }

  #forget(): void {
    const expired = this.#now() - COUNTS_MS;
    for (const [name, { at }] of this.#refused) {
      if (at > expired) return;
      this.#refused.delete(name);
    }
  }
}

function nameOf({ environment, caller }: Tenant): string {
  return JSON.stringify([environment, caller]);
}
