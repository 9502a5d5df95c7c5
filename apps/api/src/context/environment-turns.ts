import type { Scope } from '@sightline/core/store/scope';

/**
 * Serializes the long work of each environment, in the order of the calls. A client with many long requests then waits
 * for its own requests, and the database stays free for other environments.
 */
export class EnvironmentTurns {
  /** For each environment, a promise that never rejects, and resolves when the environment's last work has ended. */
  readonly #last = new Map<number, Promise<unknown>>();

  /** Runs work in its turn. Work whose signal aborts before its turn never starts. @throws the errors of the work */
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
