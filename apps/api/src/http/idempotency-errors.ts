import { DomainError } from '@sightline/core/domain-error';

export class IdempotencyMismatch extends DomainError {
  readonly code = 'idempotency_mismatch';

  constructor() {
    super('This Idempotency-Key was already used for a different request.');
  }
}

export class RequestInProgress extends DomainError {
  readonly code = 'in_progress';

  constructor() {
    super('The first request with this Idempotency-Key is still in progress.');
  }
}
