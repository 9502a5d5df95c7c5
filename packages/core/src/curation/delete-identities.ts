import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { deleteIdentity, type DeleteIdentityDeps } from './delete-identity.ts';

/**
 * Deletes identities one after the other, as {@link deleteIdentity} does; unknown ids are passed
 * over. Answers how many it deleted.
 *
 * @throws StoreUnavailable
 */
export async function deleteIdentities(
  deps: DeleteIdentityDeps,
  request: { readonly scope: Scope; readonly ids: readonly number[] },
  options: { readonly signal?: AbortSignal } = {},
): Promise<{ readonly deleted: number }> {
  const { scope, ids } = request;
  const present = await deps.database.withScope(
    scope,
    ({ identities }) => identities.byIds(ids),
    options.signal,
  );
  let deleted = 0;
  for (const { id } of present) {
    try {
      await deleteIdentity(deps, { scope, id }, options);
      deleted++;
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof NotFound)) throw error;
    }
  }
  return { deleted };
}
