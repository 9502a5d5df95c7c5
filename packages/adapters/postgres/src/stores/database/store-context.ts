import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { TransactionLocks } from './transaction-locks.ts';

/** What a store reads with. Row-level security adds the environment to every condition. */
export interface ReadContext {
  readonly session: TransactionSession;
  readonly environmentId: number;
  /** Of the index that this process searches in. */
  readonly reader: string;
}

export interface WriteContext extends ReadContext {
  readonly locks: TransactionLocks;
}
