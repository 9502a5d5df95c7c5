import type { DeletingIdentity, DeletingReader } from '../identities/deleting-identity.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { type DeleteIdentityDeps, finishDeletion } from './delete-identity.ts';
import { finishMerge } from './finish-merge.ts';

const BATCH = 100;

/**
 * Finishes deletions and merges of identities that another process has started and not finished. After a failure the
 * next identities are still handled.
 *
 * @param idleSeconds how long a deletion must have taken no step. With 0, it may take steps beside the process that
 *   started it, and other writers then wait for both.
 * @returns the number of identities that were found, including failures
 * @throws StoreUnavailable; AggregateError of other failures; the signal's reason on abort
 */
export async function finishDeletions(
  deps: DeleteIdentityDeps & {
    readonly maintenance: DeletingReader;
  },
  { idleSeconds, signal }: { readonly idleSeconds: number; readonly signal?: AbortSignal },
): Promise<number> {
  const deleting = await deps.maintenance.deletingIdentities({ limit: BATCH, idleSeconds }, signal);
  const failures: unknown[] = [];
  for (const identity of deleting) {
    try {
      await finishOne(deps, identity, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StoreUnavailable) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Some deletions and merges of identities have failed.');
  return deleting.length;
}

/**
 * Finishes the deletion or merge of one identity. Several processes may do this at the same time.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function finishOne(
  deps: DeleteIdentityDeps,
  { environmentId, id, mergedInto }: DeletingIdentity,
  signal?: AbortSignal,
): Promise<void> {
  const scope = { environmentId };
  // The attempt is recorded as a step before it begins, so that a deletion that fails, or ends the process, is the last
  // one to be tried again.
  await deps.database.withEntities(
    { ...scope, locks: [{ entity: 'identity', id, mode: 'exclusive' }] },
    (tx) => tx.identities.continueDeletion(id),
    signal,
  );
  if (mergedInto === null) return finishDeletion(deps, { scope, id }, signal);
  return finishMerge(deps, { scope, merge: { from: id, into: mergedInto } }, signal);
}
