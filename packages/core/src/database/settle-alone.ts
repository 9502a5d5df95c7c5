import type { Scope } from '../store/scope.ts';
import type { Database, Settle } from './database.ts';

/**
 * Runs `settle` in a transaction of its own, for a request whose work took several transactions. If the process crashes
 * before this transaction, a retry of the request runs the work again.
 *
 * @throws StoreUnavailable; the errors of `settle`
 */
export async function settleAlone<Result>(
  database: Pick<Database, 'withEntities'>,
  { scope, result }: { readonly scope: Scope; readonly result: Result },
  options: { readonly settle?: Settle<Result> | undefined; readonly signal?: AbortSignal },
): Promise<void> {
  const { settle, signal } = options;
  if (settle === undefined) return;
  await database.withEntities({ ...scope, locks: [] }, (tx) => settle(tx, result), signal);
}
