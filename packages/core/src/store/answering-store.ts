/** A store whose availability can be checked before it is needed. */
export interface AnsweringStore {
  /**
   * Throws what the other methods throw if the store is known or found to be unavailable; the signal's
   * reason on abort. A recent answer of the store counts, so the call is cheap. The next request may
   * still fail.
   */
  requireAnswer(signal?: AbortSignal): Promise<void>;
}
