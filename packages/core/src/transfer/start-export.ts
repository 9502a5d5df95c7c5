import type { Database, Settle } from '../database/database.ts';
import type { Job } from '../jobs/job.ts';
import type { ExportRequest } from './export-library.ts';

/**
 * Creates a job that writes an archive of the library, or of some identities.
 *
 * @throws TooManyJobs, StoreUnavailable
 */
export async function startExport(
  { database }: { readonly database: Database },
  { scope, identityIds }: ExportRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<Job> | undefined } = {},
): Promise<Job> {
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const { images: total } = await tx.library.extent(identityIds);
      const items = [{ input: {} }];
      const job = await tx.jobs.create({ type: 'export', params: { identityIds }, items, total });
      await options.settle?.(tx, job);
      return job;
    },
    options.signal,
  );
}
