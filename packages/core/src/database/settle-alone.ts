import type { Scope } from '../store/scope.ts';
import type { Database, Settle } from './database.ts';

/**
 * Stores the answer of a request that took several transactions, after the last of them. If the
 * process crashes before that, a retry runs the request again.
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
