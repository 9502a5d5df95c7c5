import type { Database } from '@sightline/core/database/database';
import { NotFound } from '@sightline/core/store/not-found';
import type { Scope } from '@sightline/core/store/scope';

/**
 * For lists of an identity: one that is deleted while it is sent ends early.
 *
 * @throws NotFound if there is no such identity
 */
export async function requireIdentity(
  database: Database,
  { scope, id }: { readonly scope: Scope; readonly id: number },
  signal: AbortSignal,
): Promise<void> {
  const identity = await database.withScope(scope, ({ identities }) => identities.byId(id), signal);
  if (identity === null) throw new NotFound('identity', id);
}
