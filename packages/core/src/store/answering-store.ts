/** A store of which one may learn, before it is needed, that it does not answer. */
export interface AnsweringStore {
  /**
   * Throws what the other methods throw while the store is known not to answer, or is found not to;
   * the signal's reason on abort. An answer of a moment ago counts, so that asking costs next to
   * nothing. The next request may still fail.
   */
  requireAnswer(signal?: AbortSignal): Promise<void>;
}
