import { DomainError } from '@sightline/core/domain-error';

export class KeyMayNotFilter extends DomainError {
  readonly code = 'forbidden';

  constructor() {
    super('A key of the type review decides about detection_ids, and not by a filter.');
  }
}
