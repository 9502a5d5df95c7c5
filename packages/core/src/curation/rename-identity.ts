import type { Database } from '../database/database.ts';
import { identityRenamed } from '../events/identity-events.ts';
import type { Identity } from '../identities/identity.ts';
import { IdentityExists } from '../identities/identity-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Renames an identity. Does nothing if the identity already has this label.
 *
 * @throws InvalidLabel, NotFound, IdentityExists, StoreUnavailable
 */
export async function renameIdentity(
  deps: { readonly database: Database },
  request: { readonly scope: Scope; readonly id: number; readonly label: string },
  options: { readonly signal?: AbortSignal } = {},
): Promise<Pick<Identity, 'id' | 'label'>> {
  const { scope, id } = request;
  const label = normalizeLabel(request.label);
  return deps.database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const identity = await tx.identities.byId(id);
      if (identity === null) throw new NotFound('identity', id);
      const { type, label: previousLabel } = identity;
      tx.require({ entity: 'label', type, label }, { entity: 'identity', id, mode: 'exclusive' });
      if (label === previousLabel) return { id, label };
      const [present] = await tx.identities.byLabels(type, [label]);
      if (present) throw new IdentityExists(present);
      await tx.identities.rename(identity, label);
      await tx.emit(identityRenamed(id, { label, previousLabel }));
      await tx.audit({ entity: 'identity', action: 'rename', ids: [id] });
      return { id, label };
    },
    options.signal,
  );
}
