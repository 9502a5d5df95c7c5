import type { Scope } from '@sightline/core/store/scope';

/**
 * Lets long work of one environment run one after the other, in the order of the calls: a caller who asks
 * for much of it at once waits for itself, and leaves the database to the others.
 */
export class EnvironmentTurns {
  /** When the last work of an environment that has any ends; these promises never reject. */
  readonly #last = new Map<number, Promise<unknown>>();

  /** Passes the errors of the work on. On abort, work that has not begun does not begin. */
  run<T>({ environmentId }: Scope, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#afterLastOf(environmentId, () => {
      signal.throwIfAborted();
      return work();
    });
    const ended = turn.catch(() => undefined);
    this.#last.set(environmentId, ended);
    void ended.then(() => {
      if (this.#last.get(environmentId) === ended) this.#last.delete(environmentId);
    });
    return turn;
  }

  async #afterLastOf<T>(environmentId: number, work: () => Promise<T>): Promise<T> {
    await this.#last.get(environmentId);
    return work();
  }
}
