import type { ProblemCode } from '../problem.ts';

/** The problems of the beginning of a sign-in at the identity provider. */
export const BEGIN_PROBLEMS = [
  'not_found',
  'no_secret_key',
  'rate_limited',
  'overloaded',
  'identity_provider_unavailable',
] as const satisfies readonly ProblemCode[];

/** The codes with which a browser comes back from a refused sign-in at the identity provider. */
export const SIGN_ON_ERRORS = {
  sign_in_expired:
    'The browser has not begun the sign-in, or more than ten minutes ago, or the sign-in was completed already.',
  sign_in_denied: 'The identity provider has refused the sign-in, or the person has canceled it.',
  sign_in_invalid: 'The answer of the identity provider failed a check.',
  unknown_account: 'No account has the login, or the account is disabled.',
  email_unverified: 'A new account needs an e-mail address that the identity provider has checked.',
  email_exists: 'Another account has the e-mail address; sign in to it, and bind the login there.',
  session_ended: 'The session that asked for the binding has ended.',
  linked_elsewhere: 'The login is bound to another account.',
  already_linked: 'Another login is bound to the account.',
  unauthenticated: 'The invited e-mail address has an account; sign in before you accept.',
  forbidden: 'The invitation is for another account.',
  member_exists: 'The account is a member of the environment already.',
  not_found: 'The invitation has expired, or was accepted or revoked; or there is no provider.',
  password_change_required: 'An administrator made the password of the account; change it first.',
  rate_limited: 'There were too many attempts to sign in.',
  overloaded: 'Too many sign-ins wait for the identity provider.',
  no_secret_key: 'The installation has no key for secrets.',
  identity_provider_unavailable: 'The identity provider is unavailable.',
  store_unavailable: 'The database is unavailable.',
} as const;

export type SignOnError = keyof typeof SIGN_ON_ERRORS;

export function isSignOnError(code: string): code is SignOnError {
  return Object.hasOwn(SIGN_ON_ERRORS, code);
}
