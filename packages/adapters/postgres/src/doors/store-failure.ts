import { DomainError } from '@sightline/core/domain-error';
import { EnvironmentDeleted } from '@sightline/core/store/environment-deleted';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { type ErrorLike, isErrorLike } from '@sightline/platform/errors/error-like';
import pg from 'pg';
import { DrizzleQueryError } from '../drizzle.ts';

/** Error classes and codes of Postgres that mean an outage. Other codes are defects of Sightline. */
const UNAVAILABLE = [
  /^08/, // connection
  /^53/, // out of connections, memory or disk
  /^57/, // stopping, starting, cancelled by a time limit
  /^58/, // files of the server
  '25P03', // idle for too long
  '25P04', // took too long
  '28000', // the role may not log in
  '28P01', // wrong password
  '3D000', // no such database
  '55P03', // lock not available
  'XX001', // damaged
  'XX002',
];
/**
 * The code of a write to a standby, or to a server that is read-only because its disk is full. A write in a
 * transaction that Sightline began as read-only fails with the same code; that is a defect of Sightline.
 */
const READ_ONLY = '25006';
const RESTARTS = ['40001', '40P01'];
const NO_SPACE = '53100';
const FOREIGN_KEY = '23503';
/** The code with which the database function `require_environment` fails. */
const ENVIRONMENT_DELETED = 'SL404';

/** Messages of errors that the driver throws without a code. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|The server does not support SSL)/;
/** System error codes, such as those for an unknown host and a refused, reset or timed-out connection. */
const SYSTEM_CODE = /^E(?!RR_)[A-Z_]+$/;
const TLS_CODE = /^ERR_(?:TLS|SSL)_|SELF_SIGNED|^UNABLE_TO_|^CERT_|^INVALID_(?:CA|PURPOSE)/;

/**
 * Whether the server ended the transaction because of a conflict with another transaction. An immediate retry may
 * succeed.
 */
export function lostAgainstAnother(error: unknown): boolean {
  const root = rootOf(error);
  return root instanceof pg.DatabaseError && RESTARTS.includes(root.code ?? '');
}

export function violates(error: unknown, constraint: string): boolean {
  const root = rootOf(error);
  return root instanceof pg.DatabaseError && root.constraint === constraint;
}

/** Whether the rows of a table refer to a row that the transaction has deleted, or to one that does not exist. */
export function violatesReference(error: unknown): boolean {
  const root = rootOf(error);
  return root instanceof pg.DatabaseError && root.code === FOREIGN_KEY;
}

export function refusesWrites(error: unknown): boolean {
  const root = rootOf(error);
  return root instanceof pg.DatabaseError && root.code === READ_ONLY;
}

/** Works like {@link toStoreFailure}, for a transaction that may write. */
export function toWriterFailure(error: unknown): unknown {
  return refusesWrites(error) ? unavailable(READ_ONLY, rootOf(error)) : toStoreFailure(error);
}

/** Converts an error for callers of the store. An outage becomes StoreUnavailable; a defect stays as it is. */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const root = rootOf(error);
  if (root instanceof pg.DatabaseError) {
    const { code = '' } = root;
    if (code === ENVIRONMENT_DELETED) return new EnvironmentDeleted();
    return UNAVAILABLE.some((pattern) => matches(code, pattern)) ? unavailable(code, root) : root;
  }
  if (isErrorLike(root) && isLostConnection(root)) return unavailable('', root);
  // The query builder writes the values of a query into its message. Values must not reach the log, so the cause
  // replaces the error.
  return error instanceof DrizzleQueryError
    ? (error.cause ?? new Error('A database query failed.'))
    : error;
}

function isLostConnection({ message, code }: ErrorLike): boolean {
  if (LOST.test(message)) return true;
  return typeof code === 'string' && (SYSTEM_CODE.test(code) || TLS_CODE.test(code));
}

function matches(code: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? code === pattern : pattern.test(code);
}

function unavailable(code: string, cause: unknown): StoreUnavailable {
  const message =
    code === NO_SPACE
      ? 'The database has no space left; nothing was changed.'
      : 'The database does not answer at the moment; try again.';
  return new StoreUnavailable(message, {}, { cause });
}

export function hungServer(reason: unknown): DomainError {
  return reason instanceof DomainError ? reason : unavailable('', reason);
}

/** The innermost cause. The query builder wraps the server's error in an error that contains the whole query. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (isErrorLike(root) && isErrorLike(root.cause)) root = root.cause;
  return root;
}
