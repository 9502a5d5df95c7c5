import { DomainError } from '@sightline/core/domain-error';

/** The caller's key lacks the right that the request needs. */
export class Forbidden extends DomainError {
  readonly code = 'forbidden';
}
