import type { Actor } from '@sightline/core/store/actor';
import type { CurrentOperation } from '@sightline/core/store/current-operation';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { TransactionLocks } from './transaction-locks.ts';

/**
 * The transaction and the environment that a store works in. Row-level security limits every statement to the
 * environment.
 */
export interface ReadContext {
  readonly session: TransactionSession;
  readonly environmentId: number;
  /** The name of the vector index that this process searches. */
  readonly reader: string;
}

export interface WriteContext extends ReadContext {
  /** The one who acts, for the audit. */
  readonly actor: Actor;
  readonly locks: TransactionLocks;
  /** The operation to which the changes belong; undefined if they belong to none. */
  readonly operation?: CurrentOperation | undefined;
}
