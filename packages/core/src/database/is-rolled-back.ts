import { DomainError } from '../domain-error.ts';
import { StoreUnavailable } from '../store/store-errors.ts';

/**
 * Whether a transaction that failed with this error certainly wrote nothing. That is certain after the error of a use
 * case. After any other error, the database may have committed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DomainError && !(error instanceof StoreUnavailable);
}
