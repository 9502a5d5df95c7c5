import type { Job, NewJob } from '../jobs/job.ts';
import type { Scope } from '../store/scope.ts';
import type { Database, Settle, Transaction } from './database.ts';

export interface JobToCreate {
  readonly scope: Scope;
  /** Runs in the transaction that creates the job, possibly several times. */
  readonly describe: (tx: Transaction) => NewJob | Promise<NewJob>;
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
      await settleCreation(tx, { job, settle });
      return job;
    },
    signal,
  );
}

/** The last steps of a transaction that creates a job. */
export async function settleCreation(
  tx: Transaction,
  {
    job,
    settle,
    details,
  }: {
    readonly job: Job;
    readonly settle: CreateJobOptions['settle'];
    /** Further facts for the audit, besides the type and the total. */
    readonly details?: Readonly<Record<string, number>>;
  },
): Promise<void> {
  const { id, type, total } = job;
  const entry = { entity: 'job', action: 'create', ids: [id] } as const;
  await tx.audit({ ...entry, details: { type, total, ...details } });
  await settle?.(tx, job);
}
