import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { TransactionLocks } from './transaction-locks.ts';

/**
 * The transaction and the environment that a store reads. Row-level security adds the environment to every condition.
 */
export interface ReadContext {
  readonly session: TransactionSession;
  readonly environmentId: number;
  /** The reader of the index that this process searches. */
  readonly reader: string;
}

export interface WriteContext extends ReadContext {
  readonly locks: TransactionLocks;
}
