import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  ConstantBackoff,
  handleType,
} from 'cockatiel';

/** What came of a request, as far as the circuit is concerned. */
export type Outcome<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The service refused it, and so it answers. */
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Nobody waits for it any more: it says nothing about the service. */
  | { readonly kind: 'aborted'; readonly error: unknown };

export interface CircuitEvents {
  opened(cause: unknown): void;
  closed(): void;
}

/**
 * A circuit breaker that is opened by so many failures in a row, or at once, and that only a probe
 * closes: requests of callers are never the ones that try a service which is down.
 */
export class Circuit {
  readonly #breaker: ForcedBreaker;
  readonly #policy: CircuitBreakerPolicy;
  readonly #events: CircuitEvents;
  #closed = true;

  constructor(failuresInARow: number, events: CircuitEvents) {
    this.#breaker = new ForcedBreaker(failuresInARow);
    this.#policy = circuitBreaker(handleType(Failure), {
      breaker: this.#breaker,
      // Whoever probes waits by a clock that nobody sets; the library's own pause goes by the date.
      halfOpenAfter: new ConstantBackoff(-Infinity),
    });
    this.#policy.onReset(() => {
      this.#closed = true;
      events.closed();
    });
    this.#policy.onBreak((reason) => {
      if ('error' in reason && reason.error instanceof Failure) this.#open(reason.error.cause);
    });
    this.#events = events;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Runs a request and notes what came of it. Not to be called while the circuit is open. */
  async run<T>(request: () => Promise<Outcome<T>>): Promise<T> {
    const outcome = await this.#execute(request);
    if (outcome.kind === 'answered') return outcome.value;
    throw outcome.error;
  }

  /** Lets one request decide whether the open circuit closes. Never throws. */
  async probe(request: () => Promise<Outcome<unknown>>): Promise<void> {
    if (this.#closed) return;
    await this.#execute(async () => {
      const outcome = await request();
      // To the library, what does not count is no failure, and would close the circuit.
      return outcome.kind === 'aborted' ? { kind: 'failed', error: outcome.error } : outcome;
    });
  }

  /** Opens the circuit at once. */
  trip(cause: unknown): void {
    if (!this.#closed) return;
    this.#open(cause);
    this.#breaker.forced = true;
    void this.#execute(() => Promise.resolve({ kind: 'failed', error: cause })).finally(
      () => (this.#breaker.forced = false),
    );
  }

  #open(cause: unknown): void {
    if (!this.#closed) return;
    this.#closed = false;
    this.#events.opened(cause);
  }

  async #execute<T>(request: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    try {
      return await this.#policy.execute(async () => {
        const outcome = await request();
        if (outcome.kind === 'failed') throw new Failure(outcome.error);
        // What is thrown and is no Failure counts neither as a success nor as a failure.
        if (outcome.kind === 'aborted') throw new Aborted(outcome.error);
        return outcome;
      });
    } catch (error) {
      if (error instanceof Failure) return { kind: 'failed', error: error.cause };
      if (error instanceof Aborted) return { kind: 'aborted', error: error.cause };
      throw error;
    }
  }
}

class Failure extends Error {
  constructor(cause: unknown) {
    super('', { cause });
  }
}

class Aborted extends Error {
  constructor(cause: unknown) {
    super('', { cause });
  }
}

class ForcedBreaker extends ConsecutiveBreaker {
  forced = false;

  override failure(): boolean {
    return super.failure() || this.forced;
  }
}
