import type {
  DependencyObserver,
  DependencyState,
  OutageLogger,
} from '@sightline/platform/resilience/dependency';
import { codeOf } from './s3-error.ts';
import type { S3Keys } from './s3-options.ts';

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

export interface TokenServiceObservers {
  /** Gets a line when the token service begins to fail, and one when it issues keys again. */
  readonly logger?: OutageLogger | undefined;
  /** Learns at the same times that the token service is `failing`, or `available` again. */
  readonly observer?: DependencyObserver | undefined;
}

interface TemporaryKeysOptions extends TokenServiceObservers {
  readonly now?: () => number;
}

interface Failure {
  readonly error: Error;
  readonly at: number;
}

/** The temporary keys of this process. They are renewed in the background before they expire. */
export class TemporaryKeys {
  readonly #issue: () => Promise<IssuedKeys>;
  readonly #observers: TokenServiceObservers;
  readonly #now: () => number;
  #held: Held | null = null;
  #issuing: Promise<S3Keys> | null = null;
  #failure: Failure | null = null;

  /** @param now the time in ms */
  constructor(
    issue: () => Promise<IssuedKeys>,
    { now = () => performance.now(), ...observers }: TemporaryKeysOptions = {},
  ) {
    this.#issue = issue;
    this.#observers = observers;
    this.#now = now;
    this.#stateChanged('available');
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
      this.#succeeded();
      return issued;
    } catch (error) {
      this.#failed(error as Error);
      throw error;
    }
  }

  #succeeded(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#observers.logger?.info({}, 'the token service issues keys again');
    this.#stateChanged('available');
  }

  #failed(error: Error): void {
    const isFirst = this.#failure === null;
    this.#failure = { error, at: this.#now() };
    if (!isFirst) return;
    const facts = { code: codeOf(error) };
    this.#observers.logger?.warn(facts, 'the token service of the S3 issues no keys');
    this.#stateChanged('failing');
  }

  #stateChanged(state: DependencyState): void {
    this.#observers.observer?.stateChanged({ name: 'token_service', state });
  }
}
