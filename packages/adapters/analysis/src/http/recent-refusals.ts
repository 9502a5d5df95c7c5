import type { Tenant } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';

/**
 * How long further requests of a refused tenant are refused without being sent, in ms. The time is short, because a
 * process may soon have room again.
 */
const COUNTS_MS = 100;

/** Remembers for a moment which tenants were refused by all addresses. */
export class RecentRefusals {
  readonly #now: () => number;
  /** The refusals by tenant, oldest first. */
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

  /** @throws InferenceOverloaded if the tenant was refused less than {@link COUNTS_MS} ago */
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
