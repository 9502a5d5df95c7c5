import type { RemovalReader } from '../identities/removal-reader.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { type DeleteIdentityDeps, finishDeletion } from './delete-identity.ts';

/** Identities that one call deletes. */
const BATCH = 100;

/**
 * Deletes what is left of identities whose deletion has begun, as by a process that was killed. Answers
 * how many there were. One that fails does not keep the others from being deleted.
 *
 * @throws StoreUnavailable; AggregateError of what else failed; the signal's reason on abort
 */
export async function finishDeletions(
  deps: DeleteIdentityDeps & {
    readonly maintenance: RemovalReader;
  },
  signal?: AbortSignal,
): Promise<number> {
  const removals = await deps.maintenance.unfinishedRemovals(BATCH, signal);
  const failures: unknown[] = [];
  for (const { environmentId, identityId: id } of removals) {
    try {
      await finishDeletion(deps, { scope: { environmentId }, id }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StoreUnavailable) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some deletions could not be ended.');
  return removals.length;
}
