import type { TransactionSession } from '../doors/transaction-session.ts';

/**
 * The ids under which other tables may have rows of an identity: its own, and those of identities that
 * merge into it.
 */
export async function rowsOfIdentity(
  session: TransactionSession,
  id: number,
): Promise<readonly number[]> {
  const merging = await session.query<{ id: number }>(
    'SELECT id FROM identities WHERE merged_into = $1',
    [id],
  );
  return [id, ...merging.map((row) => row.id)];
}
