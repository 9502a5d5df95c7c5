import type { Identity } from '../identities/identity.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import type { Database } from './database.ts';

/**
 * Reads an identity in a transaction of its own. Another caller may delete the identity afterwards.
 *
 * @throws NotFound, StoreUnavailable
 */
export async function requireIdentity(
  database: Database,
  { scope, id }: { readonly scope: Scope; readonly id: number },
  signal?: AbortSignal,
): Promise<Identity> {
  const identity = await database.withScope(scope, ({ identities }) => identities.byId(id), signal);
  if (identity === null) throw new NotFound('identity', id);
  return identity;
}
