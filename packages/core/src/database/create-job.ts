import type { Job, NewJob } from '../jobs/job.ts';
import type { Scope } from '../store/scope.ts';
import type { Database, Settle, Stores } from './database.ts';

export interface JobToCreate {
  readonly scope: Scope;
  /** Runs in the transaction that creates the job, possibly several times. */
  readonly describe: (stores: Stores) => NewJob | Promise<NewJob>;
}

export interface CreateJobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly settle?: Settle<Job> | undefined;
}

/**
 * @throws TooManyJobs; StoreUnavailable; the errors of `describe`; the signal's reason on abort
 */
export function createJob(
  database: Pick<Database, 'withEntities'>,
  { scope, describe }: JobToCreate,
  { signal, settle }: CreateJobOptions,
): Promise<Job> {
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const job = await tx.jobs.create(await describe(tx));
      const details = { type: job.type, total: job.total };
      await tx.audit({ entity: 'job', action: 'create', ids: [job.id], details });
      await settle?.(tx, job);
      return job;
    },
    signal,
  );
}
