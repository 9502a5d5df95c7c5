import type { JobProgress, JobType } from './job.ts';
import type { ClaimedItem, ItemClaim } from './job-item.ts';

/** Whether a claim still holds its item: another process may have taken it over. */
export type ClaimState =
  | 'held'
  | 'lost'
  /** Held, but a caller has cancelled the job. */
  | 'cancelled';

/** The unfinished jobs of a type. */
export interface JobTypeState extends JobProgress {
  readonly type: JobType;
  readonly jobs: number;
  /** How long the one that has stood longest has not moved, in seconds; 0 without one. */
  readonly stillSeconds: number;
  /** The same of those that wait, as what they need is away. */
  readonly waitingSeconds: number;
}

/** The jobs of all environments, as metrics and health report them. */
export interface JobsState {
  readonly unfinished: readonly JobTypeState[];
}

/**
 * The items of all environments' jobs. A claim holds an item by a lease of 25 s; after that, another
 * process may take it over. Throws StoreUnavailable.
 */
export interface JobQueue {
  /**
   * Claims an item of these types; null without one. First come items whose process has died, then the
   * vectors of enrolled faces, for which matching waits; then environments take turns, and within one
   * its jobs. Of archives an environment has one at work, and of downloads a model.
   */
  claim(types: readonly JobType[]): Promise<ClaimedItem | null>;
  /** Renews the lease. */
  renew(claim: ItemClaim): Promise<ClaimState>;
  /** Stores the counters of a job that is counted by its work, and renews the lease. */
  report(claim: ItemClaim, progress: JobProgress): Promise<ClaimState>;
  /** Gives an item back, unless it was lost; its job rests for a pause, in ms. */
  release(
    claim: ItemClaim,
    options: {
      readonly pauseMs: number;
      /** Whether a worker thread has died of it. */
      readonly died?: boolean;
    },
  ): Promise<void>;
  state(signal?: AbortSignal): Promise<JobsState>;
  /** Removes the results of jobs whose time is over; answers media keys of their files. */
  pruneResults(signal?: AbortSignal): Promise<readonly string[]>;
}
