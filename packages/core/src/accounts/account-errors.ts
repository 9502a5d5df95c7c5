import { DomainError } from '../domain-error.ts';
import { MOST_INVITATIONS } from './invitation-store.ts';

/** A sign-in failed. The message is the same for unknown and disabled accounts and for wrong passwords. */
export class InvalidCredentials extends DomainError {
  readonly code = 'invalid_credentials';

  constructor() {
    super('The e-mail address or the password is wrong, or the account is disabled.');
  }
}

/** Too many attempts failed recently, or too many wait. */
export class TooManySignIns extends DomainError {
  readonly code = 'rate_limited';

  constructor() {
    super('There were too many attempts to sign in; retry later.');
  }
}

/** The password was made by an administrator, and the person has to replace it first. */
export class PasswordChangeRequired extends DomainError {
  readonly code = 'password_change_required';

  constructor() {
    super(
      'The password was made by an administrator; change it first with PUT /api/account/password.',
    );
  }
}

/** The new password is the current one. */
export class SamePassword extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('The new password has to differ from the current one.');
  }
}

/** Another account has this e-mail address. */
export class EmailExists extends DomainError {
  readonly code = 'email_exists';

  constructor() {
    super('Another account has this e-mail address.');
  }
}

/** The account already owns an environment of this name. */
export class EnvironmentExists extends DomainError {
  readonly code = 'environment_exists';

  constructor() {
    super('The account already owns an environment of this name.');
  }
}

/** The change would leave the installation without an administrator who can sign in. */
export class LastAdministrator extends DomainError {
  readonly code = 'last_administrator';

  constructor() {
    super('The account is the last administrator who can sign in.');
  }
}

/** The deletion would leave the account without an environment that it owns. */
export class LastEnvironment extends DomainError {
  readonly code = 'last_environment';

  constructor() {
    super('The environment is the only one that the account owns; create another one first.');
  }
}

/** The most environments that an account may own. */
export const MOST_ENVIRONMENTS = 100;

/** The account already owns the maximum number of environments. */
export class TooManyEnvironments extends DomainError {
  readonly code = 'limit_reached';

  constructor() {
    super(`An account owns at most ${MOST_ENVIRONMENTS} environments.`);
  }
}

/** The change would leave the environment without an owner who can sign in. */
export class LastOwner extends DomainError {
  readonly code = 'last_owner';

  constructor() {
    super('The account is the last owner of the environment who can sign in.');
  }
}

/** The environment has an owner who can sign in, and who decides about its members. */
export class OwnerExists extends DomainError {
  readonly code = 'owner_exists';

  constructor() {
    super('The environment has an owner who can sign in.');
  }
}

/** The invited account is a member already. */
export class MemberExists extends DomainError {
  readonly code = 'member_exists';

  constructor() {
    super('The account is a member of the environment already.');
  }
}

/** The environment already has the maximum number of open invitations. */
export class TooManyInvitations extends DomainError {
  readonly code = 'limit_reached';

  constructor() {
    super(`An environment has at most ${MOST_INVITATIONS} open invitations.`);
  }
}

/** A member who leaves, or gives up the role of an owner, asked to keep the keys. */
export class KeysWithoutOwner extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('Only another owner may take over the keys of a member.');
  }
}

/** No open invitation has the token, which the message does not repeat. */
export class InvitationNotFound extends DomainError {
  readonly code = 'not_found';

  constructor() {
    super('There is no such invitation; it may have expired, or have been accepted or revoked.');
  }
}

/** The invited person has no account yet, and gave no password for one. */
export class PasswordMissing extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('A new account needs a password.');
  }
}
