import type { AccountStore } from '@sightline/core/accounts/account-store';
import { type Caller, includesRight } from '@sightline/core/access/caller';
import { hasValues, type Operation } from '@sightline/core/operations/operation';

export type AccountNames = ReadonlyMap<string, string>;

/** Whether the caller may see who made an operation. */
export function mayKnowActors({ right }: Caller): boolean {
  return includesRight(right, 'review');
}

/** The names of the accounts that made operations; null for a caller who may not see them. */
export async function namesFor(
  caller: Caller,
  accounts: Pick<AccountStore, 'names'>,
  operations: readonly Operation[],
): Promise<AccountNames | null> {
  if (!mayKnowActors(caller)) return null;
  const ids = new Set(operations.flatMap(({ accountId }) => accountId ?? []));
  return ids.size === 0 ? new Map() : accounts.names([...ids]);
}

export function presentOperation(operation: Operation, names: AccountNames | null) {
  const { id, kind, count, accountId, keyId, createdAt, expiresAt, undoes, undoneBy } = operation;
  const name = accountId === null ? null : (names?.get(accountId) ?? null);
  return {
    id,
    kind,
    count,
    actor: names && { user_id: accountId, name, key_id: keyId },
    created_at: createdAt.toISOString(),
    undone_by: undoneBy,
    undoes,
    undoable: undoneBy === null && !operation.isAtWork && hasValues(operation),
    expires_at: expiresAt.toISOString(),
  };
}
