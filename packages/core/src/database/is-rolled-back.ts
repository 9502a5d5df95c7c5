import { DomainError } from '../domain-error.ts';
import { StoreUnavailable } from '../store/store-errors.ts';

/**
 * Whether a failed transaction certainly wrote nothing. An error of the use case proves this. After any other error,
 * the database may have committed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DomainError && !(error instanceof StoreUnavailable);
}
