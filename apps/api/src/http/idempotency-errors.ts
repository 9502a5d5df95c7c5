import { DomainError } from '@sightline/core/domain-error';

/** The key came with another request before. */
export class IdempotencyMismatch extends DomainError {
  readonly code = 'idempotency_mismatch';

  constructor() {
    super('This Idempotency-Key came with another request before.');
  }
}

/** The request with this key is still being worked on. */
export class RequestInProgress extends DomainError {
  readonly code = 'in_progress';

  constructor() {
    super('The request with this Idempotency-Key is still being worked on.');
  }
}
