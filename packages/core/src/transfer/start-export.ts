import { createJob, type CreateJobOptions } from '../database/create-job.ts';
import type { Database, Stores } from '../database/database.ts';
import type { Job, NewJob } from '../jobs/job.ts';
import type { ExportRequest } from './export-library.ts';

/**
 * Creates a job that writes an archive of the library, or of some identities.
 *
 * @throws TooManyJobs, StoreUnavailable
 */
export function startExport(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  { scope, identityIds }: ExportRequest,
  options: CreateJobOptions = {},
): Promise<Job> {
  const describe = async ({ library }: Stores): Promise<NewJob> => {
    const { images: total } = await library.extent(identityIds);
    return { type: 'export', params: { identityIds }, items: [{ input: {} }], total };
  };
  return createJob(database, { scope, describe }, options);
}
