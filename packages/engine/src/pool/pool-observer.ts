/** Told what a pool does; the methods must not throw. */
export interface PoolObserver {
  /** A job is handed to a worker this long after its intake. */
  jobStarted(waitedMilliseconds: number): void;
  /** A worker ended or did not start, for this reason; another is started in its place. */
  workerLost(reason: unknown): void;
}
