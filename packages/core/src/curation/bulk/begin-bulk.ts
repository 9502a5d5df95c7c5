import type { Settle, Transaction } from '../../database/database.ts';
import { DomainError } from '../../domain-error.ts';
import type { Job } from '../../jobs/job.ts';

/** The number of records that would be deleted is not the one that the caller has seen. */
export class CountChanged extends DomainError {
  readonly code = 'count_changed';

  constructor(count: number) {
    super(`${count} records match by now: send this number as confirm_count to delete them.`, {
      count,
    });
  }
}

/** @throws CountChanged if the caller has confirmed another number */
export function requireCount(count: number, confirmed: number): void {
  if (confirmed !== count) throw new CountChanged(count);
}

/** Records the creation of a job that carries out an operation, as the last steps of its transaction. */
export async function beginBulk(
  tx: Transaction,
  job: Job,
  settle: Settle<Job> | undefined,
): Promise<Job> {
  const details = { type: job.type, total: job.total };
  await tx.audit({ entity: 'job', action: 'create', ids: [job.id], details });
  await settle?.(tx, job);
  return job;
}
