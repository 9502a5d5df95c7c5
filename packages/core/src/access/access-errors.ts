import { DomainError } from '../domain-error.ts';

/** The request has neither a valid API key nor a valid session. */
export class Unauthenticated extends DomainError {
  readonly code = 'unauthenticated';

  constructor(
    message = 'This request needs a valid API key in the header X-API-Key, or the session of a browser.',
  ) {
    super(message);
  }
}

/** The request changes the whole installation, and its caller is not an administrator. */
export class AdminRequired extends DomainError {
  readonly code = 'admin_required';
}

/** The right of the caller does not allow the request. */
export class Forbidden extends DomainError {
  readonly code = 'forbidden';
}

/** A browser sent a session cookie with a request that another site may have caused. */
export class CrossSite extends DomainError {
  readonly code = 'cross_site';

  constructor() {
    super('A session is valid only for requests from a page of this service.');
  }
}

/** The session's account is a member of no environment. */
export class NoEnvironment extends DomainError {
  readonly code = 'no_environment';

  constructor() {
    super('The account has no environment; create one, or accept an invitation to one.');
  }
}

/** The key has sent the requests that the installation allows per minute. */
export class TooManyRequests extends DomainError {
  readonly code = 'rate_limited';
  /** The time until the next request is possible. */
  readonly retryAfterSeconds: number;

  constructor(perMinute: number, retryAfterSeconds: number) {
    super(`A key may send ${perMinute} requests per minute to this installation.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
