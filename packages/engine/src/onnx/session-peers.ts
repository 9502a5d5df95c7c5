/** Takes part in the work of another thread until no work is left or the signal aborts. */
export type Help = (work: unknown, signal: AbortSignal) => Promise<void>;

/** The sessions of the same network in the other threads of a pool. They compute the same results. */
export interface SessionPeers {
  /**
   * An estimate of the number of other threads that are idle. It is 0 while this thread has no job, for example while it
   * loads its models.
   */
  readonly idle: number;
  /**
   * Lets idle threads take part in work of this thread's job.
   *
   * @param work structured-cloneable; the threads share its memory
   * @param helpers the largest useful number of threads
   */
  share(work: unknown, helpers: number): void;
  /** @throws the signal's reason if this thread's job was aborted */
  throwIfAborted(): void;
  /** Sets what this thread does with work that a peer shares. */
  onWork(help: Help): void;
}
