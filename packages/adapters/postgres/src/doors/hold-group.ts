import { TRANSACTION_TIMEOUT_MS } from './open-pools.ts';

/** The statement gives the transaction an id and makes its commit flush the log, although it changes no row. */
const HOLD = `SELECT pg_logical_emit_message(true, 'sightline', '')`;

/**
 * The time limit of the transaction that holds a group, in ms. It is longer than that of the members, each of which joins
 * within a fraction of a second after the group began.
 */
const LIMIT_MS = TRANSACTION_TIMEOUT_MS + 30_000;

/**
 * The limits of the transaction. It is idle while the members write, and one of them may write for longer than a
 * transaction may be idle. Postgres starts the timer of `transaction_timeout` only if none is running, so the limit is
 * first set to 0.
 */
const LIMITS = [
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  'SET LOCAL transaction_timeout = 0',
  `SET LOCAL transaction_timeout = ${LIMIT_MS}`,
];

/**
 * Returns the statements that begin the transaction that holds a group.
 *
 * @param name the name in the server's activity view, as an SQL literal
 */
export function beginHolding(name: string): string {
  return [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    `SET LOCAL application_name = ${name}`,
    ...LIMITS,
    HOLD,
  ].join('; ');
}
