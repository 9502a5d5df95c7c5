import type { TransactionSession } from '../../doors/transaction-session.ts';

/**
 * Serializes, until the end of the transaction, the creation of accounts, changes of administrators, and the creation of
 * environments by name, because each of them depends on which administrators there are.
 */
export async function lockAdministrators(session: TransactionSession): Promise<void> {
  await session.query("SELECT pg_advisory_xact_lock(hashtext('sightline administrators'))");
}
