import { DomainError } from '@sightline/core/domain-error';

/** The key allows less than the request needs. */
export class Forbidden extends DomainError {
  readonly code = 'forbidden';
}
