/**
 * A part of the process that runs from start to stop: the API, the operations listener, a worker.
 * Disposal accepts no new work, finishes what is in flight, and releases everything; it is also safe
 * after a failed start.
 */
export interface Role extends AsyncDisposable {
  readonly name: string;

  /**
   * Resolves when the role serves.
   *
   * @throws StartError if the person who started the process can fix the cause; the signal's reason or
   *   an AbortError if the process is stopped first.
   */
  start(signal: AbortSignal): Promise<void>;

  /** Whether the role can do its work now. */
  ready(): Promise<boolean>;

  [Symbol.asyncDispose](): Promise<void>;
}
