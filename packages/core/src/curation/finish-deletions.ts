import type { RemovalReader } from '../identities/removal-reader.ts';
import { type DeleteIdentityDeps, finishDeletion } from './delete-identity.ts';

/** Identities that one call deletes. */
const BATCH = 100;

/**
 * Deletes what is left of identities whose deletion has begun, as by a process that was killed. Answers
 * how many there were.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function finishDeletions(
  deps: DeleteIdentityDeps & {
    readonly maintenance: RemovalReader;
  },
  signal?: AbortSignal,
): Promise<number> {
  const removals = await deps.maintenance.unfinishedRemovals(BATCH, signal);
  for (const { environmentId, identityId: id } of removals) {
    await finishDeletion(deps, { scope: { environmentId }, id }, signal);
  }
  return removals.length;
}
