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

/** A request of a caller that the test settles. */
export interface ScriptedRequest {
  /** Of its signal; undefined while it is not aborted. */
  abortReason(): unknown;
  answer(value: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
  /** Of the caller; null while there is none. */
  outcome(): { readonly value: unknown } | { readonly error: unknown } | null;
}

/** A service whose pings do what its mood says, and the dependency that guards it. */
export class ScriptedService {
  readonly dependency: Dependency;
  readonly states: DependencyStatus['state'][] = [];
  readonly log: object[] = [];
  /** How many operations were begun, and how many pings were sent. */
  operations = 0;
  pings = 0;
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
    let outcome: ReturnType<ScriptedRequest['outcome']> = null;
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

  async #ping(signal: AbortSignal): Promise<void> {
    this.pings += 1;
    if (this.mood === 'refuses') throw new Outage();
    if (this.mood === 'works') return;
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}
