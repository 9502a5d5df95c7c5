import type { ProblemDefinition } from '../problem-definition.ts';

/** The conflicts of accounts, environments and members. */
export const ACCOUNT_CONFLICTS = {
  no_environment: {
    status: 409,
    title: 'No environment',
    description: 'The account is a member of no environment; create one first.',
  },
  email_exists: {
    status: 409,
    title: 'E-mail address exists',
    description: 'Another account has this e-mail address.',
  },
  environment_exists: {
    status: 409,
    title: 'Environment exists',
    description: 'The account already owns an environment of this name.',
  },
  last_environment: {
    status: 409,
    title: 'Last environment',
    description: 'The environment is the only one that the account owns; create another one first.',
  },
  last_administrator: {
    status: 409,
    title: 'Last administrator',
    description: 'The account is the only administrator who can sign in, so it has to stay one.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    description:
      'The account is the only owner of the environment who can sign in, so it has to stay one.',
  },
  owner_exists: {
    status: 409,
    title: 'Owner exists',
    description: 'The environment has an owner who can sign in.',
  },
  last_sign_in: {
    status: 409,
    title: 'Last way to sign in',
    description:
      'The account has no password, so it could not sign in without its login of the identity provider; an administrator may give it a password.',
  },
  member_exists: {
    status: 409,
    title: 'Member exists',
    description: 'The account is a member of the environment already.',
  },
} as const satisfies Record<string, ProblemDefinition>;
