import type { Database, Settle } from '../database/database.ts';
import type { Job } from '../jobs/job.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Fails the items of a job that no worker has started. The job ends when the items in progress have ended.
 *
 * @throws NotFound, JobFinished, StoreUnavailable
 */
export async function cancelJob(
  deps: { readonly database: Database; readonly media: Pick<MediaStore, 'remove'> },
  { scope, id }: { readonly scope: Scope; readonly id: number },
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<Job> | undefined } = {},
): Promise<Job> {
  const { job, files } = await deps.database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const cancelled = await tx.jobs.cancel(id);
      await tx.audit({ entity: 'job', action: 'cancel', ids: [id] });
      await options.settle?.(tx, cancelled.job);
      return cancelled;
    },
    options.signal,
  );
  await discardFiles(deps.media, files);
  return job;
}
