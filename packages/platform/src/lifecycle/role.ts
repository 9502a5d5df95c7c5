/**
 * A part of the process that runs from start to stop: the API, the operations listener, a worker.
 * Disposing of it takes no new work, finishes what runs, and lets go of everything; it is safe after
 * a start that failed, too.
 */
export interface Role extends AsyncDisposable {
  readonly name: string;

  /**
   * Settles when the role serves.
   *
   * @throws StartError where the person who started the process can help; the signal's reason or
   *   an AbortError if the process is to stop before that.
   */
  start(signal: AbortSignal): Promise<void>;

  /** Whether the role can do its work now. */
  ready(): Promise<boolean>;

  [Symbol.asyncDispose](): Promise<void>;
}
