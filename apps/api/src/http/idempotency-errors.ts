import { DomainError } from '@sightline/core/domain-error';

/** The key was already used for a different request. */
export class IdempotencyMismatch extends DomainError {
  readonly code = 'idempotency_mismatch';

  constructor() {
    super('This Idempotency-Key was already used for a different request.');
  }
}

/** The first request with this key is still in progress. */
export class RequestInProgress extends DomainError {
  readonly code = 'in_progress';

  constructor() {
    super('The first request with this Idempotency-Key is still in progress.');
  }
}
