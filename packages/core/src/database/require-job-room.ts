import type { Scope } from '../store/scope.ts';
import type { Database } from './database.ts';

/**
 * Refuses a job that will not be created, before anything is received or stored for it. Its creation
 * checks again.
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
