import type { Scope } from '@sightline/core/store/scope';

/** How long an answer is given again, in ms. */
const LASTS_MS = 10_000;
/** The most answers that a process keeps. One has at most 1,000 buckets, about 100 kB. */
const MOST = 200;

interface Kept {
  readonly answer: Promise<unknown>;
  /** When the answer was requested, in ms. */
  readonly since: number;
}

/** Keeps the answers to requests that are expensive and that many clients send, for a short time. */
export class RecentAnswers {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Returns the answer to an equal question of the last seconds, or reads it. Callers with the same question share one
   * read, so a caller that disconnects does not end it.
   *
   * @param question all that the answer depends on, apart from the rows of the environment
   * @throws the errors of `read`, which are not kept
   */
  get<T>({ environmentId }: Scope, question: string, read: () => Promise<T>): Promise<T> {
    const key = `${environmentId} ${question}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#now() - kept.since < LASTS_MS) return kept.answer as Promise<T>;
    const answer = read();
    this.#kept.delete(key);
    this.#kept.set(key, { answer, since: this.#now() });
    answer.catch(() => {
      if (this.#kept.get(key)?.answer === answer) this.#kept.delete(key);
    });
    this.#forgetOldest();
    return answer;
  }

  #forgetOldest(): void {
    for (const [key, { since }] of this.#kept) {
      if (this.#kept.size <= MOST && this.#now() - since < LASTS_MS) return;
      this.#kept.delete(key);
    }
  }
}
