import { DomainError, type ErrorFacts } from '../domain-error.ts';

/** Why a store that responds rejects requests. A retry does not help. */
export type StoreRefusal = 'access_denied' | 'not_found';

/** The database or the media store cannot be reached, is full, or timed out. No write was left incomplete. */
export class StoreUnavailable extends DomainError {
  readonly code = 'store_unavailable';
  /** Null if a retry may succeed. */
  readonly refusal: StoreRefusal | null;

  constructor(
    message: string,
    facts: ErrorFacts = {},
    { refusal = null, ...options }: ErrorOptions & { readonly refusal?: StoreRefusal | null } = {},
  ) {
    super(message, facts, options);
    this.refusal = refusal;
  }
}
