import { DomainError } from '../domain-error.ts';
import { StoreUnavailable } from '../store/store-errors.ts';

/**
 * Whether the error of a transaction says that nothing was written. A refusal does; after any other error
 * the database may have committed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DomainError && !(error instanceof StoreUnavailable);
}
