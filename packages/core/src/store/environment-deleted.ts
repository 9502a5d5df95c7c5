import { DomainError } from '../domain-error.ts';

/** The environment does not exist, or is being deleted. Nothing was written. */
export class EnvironmentDeleted extends DomainError {
  readonly code = 'not_found';

  constructor() {
    super('The environment does not exist.');
  }
}
