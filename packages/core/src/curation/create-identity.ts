import type { Database, Settle } from '../database/database.ts';
import { identityCreated } from '../events/identity-events.ts';
import type { Identity, NewIdentity } from '../identities/identity.ts';
import { IdentityExists } from '../identities/identity-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import type { Scope } from '../store/scope.ts';

export interface CreateIdentityRequest extends Pick<NewIdentity, 'type' | 'label'> {
  readonly scope: Scope;
  readonly externalRef?: string | null;
}

/**
 * Creates an identity without detections.
 *
 * @throws InvalidLabel, IdentityExists, StoreUnavailable
 */
export async function createIdentity(
  deps: { readonly database: Database },
  request: CreateIdentityRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<Identity> } = {},
): Promise<Identity> {
  const { scope, type, externalRef = null } = request;
  const label = normalizeLabel(request.label);
  return deps.database.withEntities(
    { ...scope, locks: [{ entity: 'label', type, label }] },
    async (tx) => {
      const [present] = await tx.identities.byLabels(type, [label]);
      if (present) throw new IdentityExists(present);
      const [identity] = await tx.identities.insert([{ type, label, externalRef }]);
      await tx.emit(identityCreated(identity!));
      await tx.audit({ entity: 'identity', action: 'create', ids: [identity!.id] });
      await options.settle?.(tx, identity!);
      return identity!;
    },
    options.signal,
  );
}
