import type { Lane } from '@sightline/core/analysis/lane';

export type RefusalCause = 'over_share' | 'full';

/** Receives the events of a pool. The methods must not throw. */
export interface PoolObserver {
  /** Reports that a worker got a job of a lane after the job had waited this long. */
  jobStarted(waitedMilliseconds: number, lane: Lane): void;
  /**
   * Reports that an interactive job was rejected, because its tenant has used up its share of the
   * queue or because the queue is full.
   */
  jobRefused(cause: RefusalCause): void;
  /** Reports that an idle worker began to take part in the job of another worker. */
  helpStarted?(): void;
  /** Reports that a worker ended or failed to start. The pool starts another worker in its slot. */
  workerLost(reason: unknown): void;
}
