import { type CreateJobOptions, settleCreation } from '../../database/create-job.ts';
import type { Database } from '../../database/database.ts';
import type { Job, RunParams } from '../../jobs/job.ts';
import { operationParamsOf } from '../../jobs/operation-job.ts';
import type { SourceFilter } from '../../sources/source-store.ts';
import type { Scope } from '../../store/scope.ts';
import { requireCount } from './count-changed.ts';

export type ImagesAction =
  /** `confirmed`: the number of images that the caller has seen. */
  | { readonly action: 'delete'; readonly confirmed: number }
  | ({ readonly action: 'reprocess' } & RunParams);

/**
 * Creates a job that deletes all images of a filter, or runs the active models on them, as one operation. The images are
 * those that match now.
 *
 * @throws CountChanged, TooManyJobs, StoreUnavailable
 */
export function startBulkImages(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  {
    scope,
    where,
    bulk,
  }: { readonly scope: Scope; readonly where: SourceFilter; readonly bulk: ImagesAction },
  { signal, settle }: CreateJobOptions,
): Promise<Job> {
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const count = await tx.sources.count(where);
      if (bulk.action === 'delete') requireCount(count, bulk.confirmed);
      if (count > 0) await tx.operations.begin();
      const job = await tx.jobs.createForImages(
        { type: 'bulk_images', params: { ...operationParamsOf(scope), ...paramsOf(bulk) } },
        where,
      );
      // Images that match since the count was read are not confirmed.
      if (bulk.action === 'delete') requireCount(job.total, bulk.confirmed);
      await settleCreation(tx, { job, settle });
      return job;
    },
    signal,
  );
}

function paramsOf(bulk: ImagesAction) {
  if (bulk.action === 'delete') return { action: bulk.action };
  const { action, types, replace } = bulk;
  return { action, types, replace };
}
