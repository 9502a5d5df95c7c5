import type { S3Keys } from './s3-options.ts';

/** Keys that a token service has issued. */
export interface IssuedKeys {
  readonly keys: S3Keys;
  readonly lifetimeMs: number;
}

/** The part of their lifetime after which keys are renewed. The rest is for outages of the token service. */
const RENEWED_AFTER = 0.75;
/** The shortest time between two requests to the token service, in ms, while there are keys. */
const PAUSE_MS = 10_000;

interface Held {
  readonly keys: S3Keys;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The time from which the next use of the keys renews them. */
  renewAt: number;
}

/** The temporary keys of this process. They are renewed in the background before they expire. */
export class TemporaryKeys {
  readonly #issue: () => Promise<IssuedKeys>;
  readonly #now: () => number;
  #held: Held | null = null;
  #issuing: Promise<S3Keys> | null = null;

  /** @param now the time in ms */
  constructor(issue: () => Promise<IssuedKeys>, now: () => number = () => performance.now()) {
    this.#issue = issue;
    this.#now = now;
  }

  /** Rejects with the error of `issue` if there are no valid keys. */
  get current(): Promise<S3Keys> {
    const held = this.#held;
    const now = this.#now();
    if (held === null || now >= held.expiresAt) return this.#renewed();
    if (now >= held.renewAt) {
      held.renewAt = now + PAUSE_MS;
      // The present keys are still valid, and another request tries again after the pause.
      this.#renewed().catch(() => undefined);
    }
    return Promise.resolve(held.keys);
  }

  /**
   * Renews keys that the store has refused, unless they have just been issued: a role without rights stays without them.
   *
   * @returns whether `current` now differs from `refused`
   */
  async renew(refused: S3Keys): Promise<boolean> {
    const held = this.#held;
    if (held?.keys !== refused) return true;
    if (this.#now() - held.issuedAt < PAUSE_MS) return false;
    return this.#renewed().then(
      () => true,
      () => false,
    );
  }

  /** Requests that need keys at the same time wait for the same ones. */
  #renewed(): Promise<S3Keys> {
    this.#issuing ??= this.#replace().finally(() => (this.#issuing = null));
    return this.#issuing;
  }

  async #replace(): Promise<S3Keys> {
    const { keys, lifetimeMs } = await this.#issue();
    const issuedAt = this.#now();
    const expiresAt = issuedAt + lifetimeMs;
    this.#held = { keys, issuedAt, expiresAt, renewAt: issuedAt + lifetimeMs * RENEWED_AFTER };
    return keys;
  }
}
