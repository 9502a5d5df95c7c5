import { DomainError } from '../domain-error.ts';

/** The request has no key or an invalid one; the answer does not say which. */
export class Unauthenticated extends DomainError {
  readonly code = 'unauthenticated';

  constructor() {
    super('This needs a valid API key in the header X-API-Key.');
  }
}

/** Only an administrator's key changes what belongs to the whole installation. */
export class AdminRequired extends DomainError {
  readonly code = 'admin_required';
}
