import type { Page } from '../store/page.ts';
import type { SourceFilter } from '../sources/source-store.ts';
import type { Job, JobProgress, JobStatus, JobType, NewItem, NewJob } from './job.ts';
import type { EndedItem, ItemClaim, ItemEnd, ItemState, ListedItem } from './job-item.ts';

/** Selects a page of jobs. Absent members do not restrict the result. */
export interface JobPage {
  readonly type?: JobType | undefined;
  readonly status?: JobStatus | undefined;
  /** The last id of the page before; null for the first page. */
  readonly before: number | null;
  readonly limit: number;
}

/** Selects a page of the items of a job. */
export interface ItemPage {
  /** All states if absent. */
  readonly state?: ItemState | undefined;
  /** The last index of the page before; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface JobReader {
  /** A page of jobs with ids below `before`, newest first. */
  list(page: JobPage): Promise<Page<Job>>;
  byId(id: number): Promise<Job | null>;
  /** The unfinished job that downloads or verifies a model; null if there is none, or it was cancelled. */
  unfinishedDownload(modelId: number): Promise<Job | null>;
  /**
   * @throws TooManyJobs if the environment already has the maximum number of unfinished jobs
   */
  requireRoom(): Promise<void>;
  /** A page of ended items with indexes above `after`, sorted by index. */
  endedItems(
    id: number,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly EndedItem[]>;
  /** A page of items with indexes above `after`, sorted by index. */
  items(id: number, page: ItemPage): Promise<Page<ListedItem>>;
}

/** How far the work of an item has got. */
export interface WorkStep {
  readonly progress: JobProgress;
  /** The id of the last record; absent for work that begins with the first one again. */
  readonly workedTo?: number;
  /** The result so far, as the API returns it; absent to keep the stored one. */
  readonly result?: unknown;
}

export interface JobWriter {
  /**
   * Creates a job with its items. A job without items ends at once, and its event is emitted.
   *
   * @throws TooManyJobs
   */
  create<T extends JobType>(job: NewJob<T>): Promise<Job<T>>;
  /**
   * Creates a job with an item for each image of a filter, by ascending id.
   *
   * @throws TooManyJobs
   */
  createForImages(
    job: Pick<NewJob<'bulk_images'>, 'type' | 'params'>,
    filter: SourceFilter,
  ): Promise<Job<'bulk_images'>>;
  /**
   * Stores how far the work of an item has got, as a step of the transaction that writes its effect.
   *
   * @throws ClaimLost if another process has taken over the item
   */
  advance(claim: ItemClaim, step: WorkStep): Promise<void>;
  /**
   * Requires that the claim holds its item, until the end of the transaction.
   *
   * @throws ClaimLost if another process has taken over the item
   */
  requireHeld(claim: ItemClaim): Promise<void>;
  /**
   * Ends an item, as the last step of the transaction that writes the item's effect. It also updates the job's
   * counters. The last item ends the job and emits the job's event.
   *
   * @throws ClaimLost if another process has taken over the item; the caller then has to roll back the transaction
   */
  endItem(claim: ItemClaim, end: ItemEnd): Promise<void>;
  /**
   * Fails the items that no worker has begun. The job ends once its items in progress have ended. Returns the job and
   * the media keys of files that are no longer needed, which the caller deletes.
   *
   * @throws NotFound, JobFinished
   */
  cancel(id: number): Promise<{ readonly job: Job; readonly files: readonly string[] }>;
  /**
   * Locks an ended job. Returns the job with its failed items, which lose their uploads to those that the caller creates.
   * Items of other types than these stay as they are, and are not returned: there may be a million of them.
   *
   * @throws NotFound, JobUnfinished
   */
  takeFailed(
    id: number,
    types: ReadonlySet<JobType>,
  ): Promise<{ readonly job: Job; readonly items: readonly NewItem[] }>;
  /**
   * Removes an ended job and its results. Returns the media keys of files that are no longer needed, which the caller
   * deletes.
   *
   * @throws NotFound, JobUnfinished
   */
  remove(id: number): Promise<{ readonly files: readonly string[] }>;
}
