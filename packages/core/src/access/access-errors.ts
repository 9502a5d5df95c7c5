import { DomainError } from '../domain-error.ts';

/** There is no key, or none that is valid; the caller is not told which. */
export class Unauthenticated extends DomainError {
  readonly code = 'unauthenticated';

  constructor() {
    super('This needs a valid API key in the header X-API-Key.');
  }
}

/** What belongs to the whole installation is changed with an administrator's key. */
export class AdminRequired extends DomainError {
  readonly code = 'admin_required';
}
