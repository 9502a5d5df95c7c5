import { createJob, type CreateJobOptions } from '../database/create-job.ts';
import type { Database } from '../database/database.ts';
import type { Job, RunParams } from '../jobs/job.ts';
import type { Scope } from '../store/scope.ts';

export interface ReprocessImagesRequest extends RunParams {
  readonly scope: Scope;
  /** The ids of source images. An unknown id becomes an item that fails. */
  readonly ids: readonly number[];
}

/**
 * Creates a job that runs the active models on stored images.
 *
 * @throws TooManyJobs; StoreUnavailable; the signal's reason on abort
 */
export function reprocessImages(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  { scope, ids, types, replace }: ReprocessImagesRequest,
  options: CreateJobOptions,
): Promise<Job> {
  const params = { types, replace };
  const items = ids.map((sourceImageId) => ({ input: { sourceImageId } }));
  const describe = () => ({ type: 'reprocess', params, items }) as const;
  return createJob(database, { scope, describe }, options);
}
