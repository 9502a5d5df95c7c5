import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { deleteIdentity, type DeleteIdentityDeps } from './delete-identity.ts';

/**
 * Deletes identities one after the other with {@link deleteIdentity}. Unknown ids are ignored.
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
      // NotFound means that another request has deleted the identity first.
      if (!(error instanceof NotFound)) throw error;
    }
  }
  return { deleted };
}
