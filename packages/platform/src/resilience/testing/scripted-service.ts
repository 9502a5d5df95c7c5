import { setImmediate as turn } from 'node:timers/promises';
import { Dependency, type DependencyStatus } from '../dependency.ts';
import type { FakeClock } from './fake-clock.ts';

export type ServiceMood = 'works' | 'refuses' | 'hangs';

/** The service is down. */
export class Outage extends Error {
  readonly code = 'ECONNREFUSED';
}

/** What callers see. */
export class Unavailable extends Error {}

/** Of a caller; null while there is none. */
export type Settled = { readonly value: unknown } | { readonly error: unknown } | null;

/** Somebody who only wants to know whether the service answers. */
export interface ScriptedQuestion {
  outcome(): Settled;
}

/** A request of a caller that the test settles. */
export interface ScriptedRequest extends ScriptedQuestion {
  /** Of its signal; undefined while it is not aborted. */
  abortReason(): unknown;
  answer(value: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** A service whose pings do what its mood says, and the dependency that guards it. */
export class ScriptedService {
  readonly dependency: Dependency;
  readonly states: DependencyStatus['state'][] = [];
  readonly log: object[] = [];
  /** How many operations were begun, and how many pings were sent. */
  operations = 0;
  pings = 0;
  /** How many pings waited for their answers at the same time, at most. */
  mostPingsAtOnce = 0;
  #pingsUnderWay = 0;
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
    this.#pingsUnderWay += 1;
    this.mostPingsAtOnce = Math.max(this.mostPingsAtOnce, this.#pingsUnderWay);
    try {
      await this.#answer(signal);
    } finally {
      this.#pingsUnderWay -= 1;
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
