import type {
  IdempotencyClaim,
  IdempotencyStore,
} from '@sightline/core/idempotency/idempotency-store';
import type { Scope } from '@sightline/core/store/scope';
import { RequestInProgress } from './idempotency-errors.ts';

/** A third of the lease: two renewals may fail. */
const RENEW_EVERY_MS = 10_000;

export interface LeasedClaim {
  readonly store: Pick<IdempotencyStore, 'renew'>;
  readonly scope: Scope;
  readonly claim: IdempotencyClaim;
}

/** Keeps a claim while its request is worked on; dispose of it when that has ended. */
export class ClaimLease implements Disposable {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(
    { store, scope, claim }: LeasedClaim,
    options: { readonly renewEveryMs?: number } = {},
  ) {
    const renew = async (): Promise<void> => {
      // While the store is down nobody else can take the claim over either.
      const isOurs = await store.renew(scope, claim).catch(() => true);
      if (!isOurs) this.#lost.abort(new RequestInProgress());
    };
    this.#timer = setInterval(() => void renew(), options.renewEveryMs ?? RENEW_EVERY_MS);
  }

  /** Aborts when somebody else has taken the claim over. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
