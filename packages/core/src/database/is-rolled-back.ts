import { DomainError } from '../domain-error.ts';
import { StoreUnavailable } from '../store/store-errors.ts';

/**
 * Whether a failed transaction certainly wrote nothing. An error that the use case itself threw proves this, because
 * the transaction then never reaches its commit. After any other error, such as a lost connection, the database may
 * have committed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DomainError && !(error instanceof StoreUnavailable);
}
