import type { Database, Settle } from '../database/database.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Stores the answer of a use case of many transactions, after the last of them. A retry after a crash in
 * between runs the use case again.
 *
 * @throws StoreUnavailable
 */
export async function settleAlone<Result>(
  database: Database,
  { scope, result }: { readonly scope: Scope; readonly result: Result },
  { settle, signal }: { readonly settle?: Settle<Result>; readonly signal?: AbortSignal },
): Promise<void> {
  if (settle === undefined) return;
  await database.withEntities({ ...scope, locks: [] }, (tx) => settle(tx, result), signal);
}
