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
  /** The time since the last progress of the job that has been stuck longest, in seconds; 0 without one. */
  readonly stillSeconds: number;
  /** The same for jobs that wait because a dependency is unavailable. */
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
   * Claims an item of these types; null if there is none. Items whose process has died come first,
   * then the vectors of enrolled faces, because matching waits for those; then environments take
   * turns, and within an environment its jobs. At most one archive job per environment and one
   * download per model run at a time.
   */
  claim(types: readonly JobType[]): Promise<ClaimedItem | null>;
  /** Renews the lease. */
  renew(claim: ItemClaim): Promise<ClaimState>;
  /** Stores the counters of a job that is counted by its work, and renews the lease. */
  report(claim: ItemClaim, progress: JobProgress): Promise<ClaimState>;
  /** Gives an item back, unless the claim was lost; no item of its job is claimed for the pause. */
  release(
    claim: ItemClaim,
    options: {
      readonly pauseMs: number;
      /** Whether a worker thread has died of the item. */
      readonly died?: boolean;
    },
  ): Promise<void>;
  state(signal?: AbortSignal): Promise<JobsState>;
  /** Removes the results of jobs that were kept long enough; answers the media keys of their files. */
  pruneResults(signal?: AbortSignal): Promise<readonly string[]>;
}
