import { DomainError } from '../domain-error.ts';

/** The database or the media store cannot be reached, is full, or gave up; nothing was half-done. */
export class StoreUnavailable extends DomainError {
  readonly code = 'store_unavailable';
}
