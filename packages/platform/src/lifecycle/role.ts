/**
 * A part of a process that runs from the start to the stop, such as the API, the operations listener or a worker.
 * Disposal stops the acceptance of new work, finishes running work, and releases all resources. Disposal is also
 * allowed after a failed start.
 */
export interface Role extends AsyncDisposable {
  readonly name: string;

  /**
   * Starts the role. Resolves when the role has begun its work, for example when a listener accepts connections.
   *
   * @throws StartError if the person who started the process can fix the cause; the signal's reason or an AbortError if
   *   the process stops during the start
   */
  start(signal: AbortSignal): Promise<void>;

  ready(): Promise<boolean>;

  [Symbol.asyncDispose](): Promise<void>;
}
