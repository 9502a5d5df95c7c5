import type { Lane } from '@sightline/core/analysis/lane';

export type RefusalCause = 'over_share' | 'full';

/** Receives the events of a pool. The methods must not throw. */
export interface PoolObserver {
  /** A job of a lane was given to a worker after waiting this long. */
  jobStarted(waitedMilliseconds: number, lane: Lane): void;
  /** An interactive job was refused: its tenant has used up its share of the queue, or the queue is full. */
  jobRefused(cause: RefusalCause): void;
  /** A worker ended or failed to start; another is started in its place. */
  workerLost(reason: unknown): void;
}
