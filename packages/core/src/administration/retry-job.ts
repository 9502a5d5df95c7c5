import { type CreateJobOptions, settleCreation } from '../database/create-job.ts';
import type { Database } from '../database/database.ts';
import type { Job, JobType, NewItem, NewJob, PostedImageInput } from '../jobs/job.ts';
import { NothingToRetry } from '../jobs/job-errors.ts';
import type { Scope } from '../store/scope.ts';

/**
 * The types whose failed items can be worked through again. The service itself repeats the others, or they need a check of
 * the present state, which the request that starts them makes.
 */
const RETRIED: ReadonlySet<JobType> = new Set(['bulk_detect', 'reprocess', 'export', 'import']);

/**
 * Creates a job of the failed items of a job that has ended. The new items take over the uploaded files.
 *
 * @throws NotFound, JobUnfinished, NothingToRetry, TooManyJobs; StoreUnavailable; the signal's reason on abort
 */
export function retryJob(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  { scope, id }: { readonly scope: Scope; readonly id: number },
  { signal, settle }: CreateJobOptions,
): Promise<Job> {
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const { job, items } = await tx.jobs.takeFailed(id, RETRIED);
      const retried = items.filter((item) => hasInput(job.type, item));
      if (retried.length === 0) throw new NothingToRetry();
      const created = await tx.jobs.create(newJobOf(job, retried));
      await settleCreation(tx, { job: created, settle, details: { retries: id } });
      return created;
    },
    signal,
  );
}

/** Whether an item still has the file that it needs. */
function hasInput(type: JobType, { input, uploadKey }: NewItem): boolean {
  if (uploadKey !== undefined) return true;
  if (type !== 'bulk_detect') return type !== 'import';
  const { imageUrl, refusal } = input as PostedImageInput;
  return imageUrl !== null || refusal !== null;
}

/** The total of an export or import is what the job has found out; the others count their items. */
function newJobOf({ type, params, total }: Job, items: readonly NewItem[]): NewJob {
  const counted = type === 'export' || type === 'import' ? { total } : {};
  return { type, params, items, ...counted } as NewJob;
}
