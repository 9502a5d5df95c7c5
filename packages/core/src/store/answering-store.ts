/** A store whose availability can be checked before it is needed. */
export interface AnsweringStore {
  /**
   * Checks that the store is available. The check is cheap, because it is enough that the store has responded
   * recently. The next request may still fail.
   *
   * @throws the errors of the other methods if the store is unavailable; the signal's reason on abort
   */
  requireAnswer(signal?: AbortSignal): Promise<void>;
}
