import type { Database, Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { Job } from '../jobs/job.ts';
import type { Scope } from '../store/scope.ts';

export interface ReprocessImagesRequest {
  readonly scope: Scope;
  /** Of source images; an unknown one is an item that fails. */
  readonly ids: readonly number[];
  readonly types: DetectionTypes;
  /** Remove the stored detections of these types, instead of comparing them with the findings. */
  readonly replace: boolean;
}

/**
 * Makes a job that runs the active models on stored images.
 *
 * @throws TooManyJobs; StoreUnavailable
 */
export function reprocessImages(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  { scope, ids, types, replace }: ReprocessImagesRequest,
  options: { readonly signal: AbortSignal; readonly settle?: Settle<Job> | undefined },
): Promise<Job> {
  const items = ids.map((sourceImageId) => ({ input: { sourceImageId } }));
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const job = await tx.jobs.create({ type: 'reprocess', params: { types, replace }, items });
      await options.settle?.(tx, job);
      return job;
    },
    options.signal,
  );
}
