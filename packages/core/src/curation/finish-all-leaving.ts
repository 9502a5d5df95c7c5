import type { LeavingIdentity, LeavingReader } from '../identities/leaving-identity.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { type DeleteIdentityDeps, finishDeletion } from './delete-identity.ts';
import { finishMerge } from './finish-merge.ts';

/** Identities that one call deals with. */
const BATCH = 100;

/**
 * Ends deletions and merges of identities that have begun, as in a process that was killed. Answers how
 * many there were. One that fails does not keep the others from ending.
 *
 * @throws StoreUnavailable; AggregateError of what else failed; the signal's reason on abort
 */
export async function finishAllLeaving(
  deps: DeleteIdentityDeps & {
    readonly maintenance: LeavingReader;
  },
  signal?: AbortSignal,
): Promise<number> {
  const leaving = await deps.maintenance.leaving(BATCH, signal);
  const failures: unknown[] = [];
  for (const identity of leaving) {
    try {
      await finish(deps, identity, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StoreUnavailable) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some identities could not leave.');
  return leaving.length;
}

async function finish(
  deps: DeleteIdentityDeps,
  { environmentId, id, mergedInto }: LeavingIdentity,
  signal?: AbortSignal,
): Promise<void> {
  const scope = { environmentId };
  if (mergedInto === null) return finishDeletion(deps, { scope, id }, signal);
  return finishMerge(deps, { scope, merge: { from: id, into: mergedInto } }, signal);
}
