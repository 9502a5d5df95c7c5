import type { JobProgress, JobType } from './job.ts';
import type { ClaimedItem, ItemClaim } from './job-item.ts';

export type ClaimState =
  | 'held'
  /** Another process has taken over the item. */
  | 'lost'
  /** The claim still holds the item, but a caller has cancelled the job. */
  | 'cancelled';

/** The crash during which an item returned to the queue. */
export type Crash =
  /** The crash of a worker thread, which analyzed only this item. */
  | 'thread'
  /** The crash of an inference process that analyzed only this item. */
  | 'inference_alone'
  /** The crash of an inference process that may have analyzed other images at the same time. */
  | 'inference';

/** The unfinished jobs of a type, with the sums of their counters. */
export interface JobTypeState extends JobProgress {
  readonly type: JobType;
  readonly jobs: number;
  /** The longest time since the last progress of any job that is not waiting, in seconds; 0 without such a job. */
  readonly stillSeconds: number;
  /** The longest time since the last progress of any job that waits for an unavailable dependency, in seconds. */
  readonly waitingSeconds: number;
}

export interface JobsState {
  readonly unfinished: readonly JobTypeState[];
}

/**
 * The queue of the job items of all environments. A claim holds an item by a lease of 25 s. If the claim is not renewed
 * in time, another process may take over the item. All methods throw StoreUnavailable.
 */
export interface JobQueue {
  /**
   * Claims an item of a job of these types; null if no item may begin. Items whose process has died come first, one at a
   * time, and no other item begins in the process of such an item; after a crash of inference, which all processes share,
   * no other image begins in any of them. The embedding of enrolled faces comes second, because matching is unavailable
   * until the embedding ends. After these, environments take turns, and the jobs within an
   * environment take turns. At most one archive job per environment and one download per model run at a time.
   *
   * @param except the ids of environments whose items may not begin, unless their process has died
   */
  claim(types: readonly JobType[], except?: readonly number[]): Promise<ClaimedItem | null>;
  renew(claim: ItemClaim): Promise<ClaimState>;
  /** Renews the lease and stores the job's counters, for the job types in `COUNTED_BY_WORK`. */
  report(claim: ItemClaim, progress: JobProgress): Promise<ClaimState>;
  /**
   * Returns an item to the queue, unless the claim was lost. No item of the job can be claimed during the pause. After a
   * crash of inference, the item runs alone next time, without images of any other process, because they share inference.
   * Only a crash while nothing else was analyzed counts as a death of the item.
   */
  release(
    claim: ItemClaim,
    options: {
      readonly pauseMs: number;
      readonly crash?: Crash | null;
    },
  ): Promise<void>;
  state(signal?: AbortSignal): Promise<JobsState>;
  /** Removes expired results of jobs. Returns the media keys of results and uploads, which the caller deletes. */
  pruneResults(signal?: AbortSignal): Promise<readonly string[]>;
}
