import { codeOf } from './s3-error.ts';
import type { OutageLogger, S3Keys } from './s3-options.ts';

/** Keys that a token service has issued. */
export interface IssuedKeys {
  readonly keys: S3Keys;
  readonly lifetimeMs: number;
}

/** The part of their lifetime after which keys are renewed. The rest is for outages of the token service. */
const RENEWED_AFTER = 0.75;
/** The shortest time between two requests to the token service while there are valid keys, in ms. */
const PAUSE_MS = 10_000;
/** The time for which requests without valid keys get the last failure instead of asking again, in ms. */
const FAILURE_MS = 1_000;

interface Held {
  readonly keys: S3Keys;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The time from which the next use of the keys renews them. */
  renewAt: number;
}

interface TemporaryKeysOptions {
  /** Gets a line when the token service begins to fail, and one when it issues keys again. */
  readonly logger?: OutageLogger | undefined;
  readonly now?: () => number;
}

interface Failure {
  readonly error: Error;
  readonly at: number;
}

/** The temporary keys of this process. They are renewed in the background before they expire. */
export class TemporaryKeys {
  readonly #issue: () => Promise<IssuedKeys>;
  readonly #logger: OutageLogger | undefined;
  readonly #now: () => number;
  #held: Held | null = null;
  #issuing: Promise<S3Keys> | null = null;
  #failure: Failure | null = null;

  /** @param now the time in ms */
  constructor(
    issue: () => Promise<IssuedKeys>,
    { logger, now = () => performance.now() }: TemporaryKeysOptions = {},
  ) {
    this.#issue = issue;
    this.#logger = logger;
    this.#now = now;
  }

  /** Rejects with the error of `issue` if there are no valid keys. */
  get current(): Promise<S3Keys> {
    const held = this.#held;
    const now = this.#now();
    if (held === null || now >= held.expiresAt) {
      const failure = this.#recentFailure();
      return failure === null ? this.#renewed() : Promise.reject(failure.error);
    }
    if (now >= held.renewAt) {
      held.renewAt = now + PAUSE_MS;
      // The present keys are still valid, and another request tries again after the pause.
      this.#renewed().catch(() => undefined);
    }
    return Promise.resolve(held.keys);
  }

  /**
   * Renews keys that the store has refused, unless they have just been issued: a role without rights stays without them.
   * Neither does it ask a token service that has just failed.
   *
   * @returns whether `current` now differs from `refused`
   */
  async renew(refused: S3Keys): Promise<boolean> {
    const held = this.#held;
    if (held?.keys !== refused) return true;
    if (this.#now() - held.issuedAt < PAUSE_MS || this.#recentFailure() !== null) return false;
    return this.#renewed().then(
      () => true,
      () => false,
    );
  }

  #recentFailure(): Failure | null {
    const failure = this.#failure;
    return failure !== null && this.#now() - failure.at < FAILURE_MS ? failure : null;
  }

  /** Requests that need keys at the same time wait for the same ones. */
  #renewed(): Promise<S3Keys> {
    this.#issuing ??= this.#replace().finally(() => (this.#issuing = null));
    return this.#issuing;
  }

  async #replace(): Promise<S3Keys> {
    const { keys, lifetimeMs } = await this.#issued();
    const issuedAt = this.#now();
    const expiresAt = issuedAt + lifetimeMs;
    this.#held = { keys, issuedAt, expiresAt, renewAt: issuedAt + lifetimeMs * RENEWED_AFTER };
    return keys;
  }

  async #issued(): Promise<IssuedKeys> {
    try {
      const issued = await this.#issue();
      if (this.#failure !== null) this.#logger?.info({}, 'the token service issues keys again');
      this.#failure = null;
      return issued;
    } catch (error) {
      if (this.#failure === null)
        this.#logger?.warn({ code: codeOf(error) }, 'the token service of the S3 issues no keys');
      this.#failure = { error: error as Error, at: this.#now() };
      throw error;
    }
  }
}
