import type { Database } from '../database/database.ts';
import type { Identity } from '../identities/identity.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Sets the external reference of an identity, which is the client's own name for the identity. Null clears the
 * reference. Emits no event.
 *
 * @throws NotFound, StoreUnavailable
 */
export async function setIdentityRef(
  deps: { readonly database: Database },
  request: { readonly scope: Scope; readonly id: number; readonly externalRef: string | null },
  options: { readonly signal?: AbortSignal } = {},
): Promise<Pick<Identity, 'id' | 'externalRef'>> {
  const { scope, id, externalRef } = request;
  return deps.database.withEntities(
    { ...scope, locks: [{ entity: 'identity', id, mode: 'exclusive' }] },
    async (tx) => {
      const identity = await tx.identities.byId(id);
      if (identity === null) throw new NotFound('identity', id);
      if (identity.externalRef === externalRef) return { id, externalRef };
      await tx.identities.setExternalRef(id, externalRef);
      await tx.audit({ entity: 'identity', action: 'set_reference', ids: [id] });
      return { id, externalRef };
    },
    options.signal,
  );
}
