import type { Transaction } from './database.ts';
import type { EntityLock } from './entity-lock.ts';

/** The database's lock table is small: more entities than this are one lock of the environment. */
const MOST_SINGLE_LOCKS = 500;

/** Asks for the locks of any number of entities, before the first write of the transaction. */
export function requireAll(tx: Transaction, locks: readonly EntityLock[]): void {
  if (locks.length > MOST_SINGLE_LOCKS) tx.require({ entity: 'environment' });
  else tx.require(...locks);
}
