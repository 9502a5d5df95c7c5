import { percentile } from './statistics.ts';

/** Times of `performance.now()`, in milliseconds. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export function secondsOf({ start, end }: Period): number {
  return (end - start) / 1000;
}

/**
 * Prepares the request with this number, counted from 0. Only the returned function is timed; it throws
 * unless the answer is right.
 */
export type RepeatingClient = (at: number) => Promise<() => Promise<unknown>>;

/** Clients that each repeat a request, one after the other, until disposal. */
export class PeriodLoad implements AsyncDisposable {
  readonly #clients: readonly Promise<void>[];
  readonly #answers: Period[] = [];
  readonly #failures: string[] = [];
  #isOver = false;

  constructor(clients: readonly RepeatingClient[]) {
    this.#clients = clients.map((prepare) => this.#repeat(prepare));
  }

  get answers(): readonly Period[] {
    return this.#answers;
  }

  get failures(): readonly string[] {
    return this.#failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #repeat(prepare: RepeatingClient): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      const request = await prepare(at);
      const start = performance.now();
      try {
        await request();
        this.#answers.push({ start, end: performance.now() });
      } catch (error) {
        this.#failures.push(String(error));
      }
    }
  }
}

/** The number of answers, and the p99 of their times in milliseconds. */
export interface Tail {
  readonly requests: number;
  readonly p99: number;
}

/** Separates the answers that overlap one of the periods from all others. */
export function splitBy(
  periods: readonly Period[],
  answers: readonly Period[],
): { readonly during: Tail; readonly usual: Tail } {
  const isDuring = (answer: Period) =>
    periods.some(({ start, end }) => answer.start < end && answer.end > start);
  return {
    during: tailOf(answers.filter(isDuring)),
    usual: tailOf(answers.filter((answer) => !isDuring(answer))),
  };
}

function tailOf(answers: readonly Period[]): Tail {
  const times = answers.map(({ start, end }) => end - start);
  return { requests: times.length, p99: percentile(times, 0.99) };
}
