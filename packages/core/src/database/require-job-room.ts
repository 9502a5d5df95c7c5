import type { Scope } from '../store/scope.ts';
import type { Database } from './database.ts';

/**
 * Checks the limit of unfinished jobs before files are received or stored for a new job. The creation of the job checks
 * the limit again.
 *
 * @throws TooManyJobs, StoreUnavailable
 */
export async function requireJobRoom(
  database: Pick<Database, 'withScope'>,
  scope: Scope,
  signal?: AbortSignal,
): Promise<void> {
  await database.withScope(scope, ({ jobs }) => jobs.requireRoom(), signal);
}
