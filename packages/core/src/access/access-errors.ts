import { DomainError } from '../domain-error.ts';

/** The request has no API key, or an invalid one. */
export class Unauthenticated extends DomainError {
  readonly code = 'unauthenticated';

  constructor() {
    super('This request needs a valid API key in the header X-API-Key.');
  }
}

/** The request changes the whole installation, and its key is not an administrator's. */
export class AdminRequired extends DomainError {
  readonly code = 'admin_required';
}
