import type { Scope } from '../store/scope.ts';
import type { Database } from './database.ts';

/**
 * Throws if the environment may have no further job, before anything is received or stored for it.
 * The creation of the job checks this again.
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
