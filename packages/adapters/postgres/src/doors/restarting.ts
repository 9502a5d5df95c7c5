import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { lostAgainstAnother } from './store-failure.ts';

/**
 * The maximum number of restarts of one transaction. A transaction restarts if it lacks a lock, or if the server ended
 * it because of a conflict.
 */
const MAX_RESTARTS = 5;

/** An attempt returns this value to be restarted. */
export const RESTART = Symbol('restart');

class Restarts {
  #left = MAX_RESTARTS;

  get isLast(): boolean {
    return this.#left === 1;
  }

  /** Uses up one restart; false if none was left. */
  take(): boolean {
    return this.#left-- > 0;
  }
}

/**
 * Repeats a transaction until it ends without a conflict. The attempt rolls back before it throws.
 *
 * @throws StoreUnavailable if the last attempt loses, too; other errors of the attempt
 */
export async function restarting<T>(
  attempt: (restarts: Restarts) => Promise<T | typeof RESTART>,
): Promise<T> {
  const restarts = new Restarts();
  do {
    try {
      const result = await attempt(restarts);
      if (result !== RESTART) return result;
    } catch (error) {
      if (!lostAgainstAnother(error)) throw error;
    }
  } while (restarts.take());
  throw new StoreUnavailable('Other requests kept changing the same data; try again.');
}
