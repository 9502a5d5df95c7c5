import type { Database, Settle } from '@sightline/core/database/database';
import type { Scope } from '@sightline/core/store/scope';

/**
 * Stores an answer whose effect took several transactions, after the last of them. A retry after a
 * crash in between runs again.
 *
 * @param settle undefined: the request has no key
 * @throws StoreUnavailable; the errors of `settle`
 */
export async function settleAfter(
  database: Pick<Database, 'withEntities'>,
  scope: Scope,
  settle: Settle<undefined> | undefined,
): Promise<void> {
  if (settle === undefined) return;
  await database.withEntities({ ...scope, locks: [] }, (tx) => settle(tx, undefined));
}
