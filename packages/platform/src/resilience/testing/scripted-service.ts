import { setImmediate as turn } from 'node:timers/promises';
import { Dependency, type DependencyStatus } from '../dependency.ts';
import type { FakeClock } from './fake-clock.ts';

export type ServiceMood = 'works' | 'refuses' | 'hangs';

/** An error of the service that counts as a failure. */
export class Outage extends Error {
  readonly code = 'ECONNREFUSED';
}

export class Unavailable extends Error {}

/** The result or error of a call; null while the call is pending. */
export type Settled = { readonly value: unknown } | { readonly error: unknown } | null;

export interface ScriptedQuestion {
  outcome(): Settled;
}

/** A request to the service that the test answers or fails. */
export interface ScriptedRequest extends ScriptedQuestion {
  /** The abort reason of the request's signal; undefined while the signal is not aborted. */
  abortReason(): unknown;
  answer(value: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** A fake service with a `Dependency` that guards it. The field `mood` decides how the service answers pings. */
export class ScriptedService {
  readonly dependency: Dependency;
  readonly states: DependencyStatus['state'][] = [];
  readonly log: object[] = [];
  operations = 0;
  pings = 0;
  maxPingsInFlight = 0;
  #pingsInFlight = 0;
  mood: ServiceMood = 'works';

  constructor(clock: FakeClock) {
    this.dependency = new Dependency({
      name: 'scripted',
      clock,
      ping: (signal) => this.#ping(signal),
      unavailable: (cause) => new Unavailable('', { cause }),
      isFailure: (error) => error instanceof Outage,
      logger: {
        info: (facts: object) => void this.log.push(facts),
        warn: (facts: object) => void this.log.push(facts),
      },
      observer: { stateChanged: ({ state }) => this.states.push(state) },
    });
  }

  async request(signal?: AbortSignal): Promise<ScriptedRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let inner: AbortSignal | undefined;
    let outcome: Settled = null;
    this.dependency
      .guard((given) => {
        this.operations += 1;
        inner = given;
        given.addEventListener('abort', () => reject(new Error('the SDK says AbortError')));
        return promise;
      }, signal)
      .then(
        (value) => (outcome = { value }),
        (error: unknown) => (outcome = { error }),
      );
    await turn();
    return {
      abortReason: () => inner?.reason as unknown,
      answer: async (value) => {
        resolve(value);
        await turn();
      },
      fail: async (error) => {
        reject(error);
        await turn();
      },
      outcome: () => outcome,
    };
  }

  async requireAnswer(signal?: AbortSignal): Promise<ScriptedQuestion> {
    let outcome: Settled = null;
    this.dependency.requireAnswer(signal).then(
      () => (outcome = { value: undefined }),
      (error: unknown) => (outcome = { error }),
    );
    await turn();
    return { outcome: () => outcome };
  }

  async #ping(signal: AbortSignal): Promise<void> {
    this.pings += 1;
    this.#pingsInFlight += 1;
    this.maxPingsInFlight = Math.max(this.maxPingsInFlight, this.#pingsInFlight);
    try {
      await this.#answer(signal);
    } finally {
      this.#pingsInFlight -= 1;
    }
  }

  async #answer(signal: AbortSignal): Promise<void> {
    if (this.mood === 'refuses') throw new Outage();
    if (this.mood === 'works') return;
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}
