import { DomainError } from '../domain-error.ts';

/** The installation has no identity provider. */
export class NoIdentityProvider extends DomainError {
  readonly code = 'not_found';

  constructor() {
    super('The installation has no identity provider.');
  }
}

/** The identity provider does not answer, or its answer is an error of its own. */
export class IdentityProviderUnavailable extends DomainError {
  readonly code = 'identity_provider_unavailable';

  constructor() {
    super('The identity provider is unavailable; retry later, or sign in with a password.');
  }
}

/** The browser did not begin this sign-in, or began it too long ago, or it was completed already. */
export class SignOnExpired extends DomainError {
  readonly code = 'sign_in_expired';

  constructor() {
    super('The sign-in has expired, or this browser has not begun it; begin again.');
  }
}

/** The answer is not for the sign-in that this browser has begun, which goes on: any page can send browsers here. */
export class ForeignAnswer extends SignOnExpired {}

/** The identity provider has refused the sign-in, usually because the person has canceled it. */
export class SignOnDenied extends DomainError {
  readonly code = 'sign_in_denied';

  constructor() {
    super('The identity provider has refused the sign-in.');
  }
}

/** The answer of the identity provider failed a check. */
export class SignOnInvalid extends DomainError {
  readonly code = 'sign_in_invalid';

  constructor() {
    super('The answer of the identity provider is not valid.');
  }
}

/** No account that can sign in has the login. The message is the same for unknown logins and disabled accounts. */
export class UnknownAccount extends DomainError {
  readonly code = 'unknown_account';

  constructor() {
    super('No account has this login, or the account is disabled.');
  }
}

/** An account can be created only with an e-mail address that the identity provider has checked. */
export class EmailUnverified extends DomainError {
  readonly code = 'email_unverified';

  constructor() {
    super('The identity provider has not checked the e-mail address.');
  }
}

/** The session that asked for the binding has ended. */
export class LinkSessionEnded extends DomainError {
  readonly code = 'session_ended';

  constructor() {
    super('The session has ended; sign in before you bind a login.');
  }
}

/** The login is bound to another account. */
export class LinkedElsewhere extends DomainError {
  readonly code = 'linked_elsewhere';

  constructor() {
    super('The login belongs to another account.');
  }
}

/** The account has another login of the same issuer. */
export class AlreadyLinked extends DomainError {
  readonly code = 'already_linked';

  constructor() {
    super('The account has another login; remove it first.');
  }
}

/** The account has no login of the identity provider. */
export class NoLogin extends DomainError {
  readonly code = 'not_found';

  constructor() {
    super('The account has no login of an identity provider.');
  }
}

/** Without the login, the account could not sign in. */
export class LastSignIn extends DomainError {
  readonly code = 'last_sign_in';

  constructor() {
    super('The account has no password, so it could not sign in without its login.');
  }
}
