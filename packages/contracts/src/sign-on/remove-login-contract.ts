import { defineContract, emptyResponse } from '../define-contract.ts';

export const removeLoginContract = defineContract({
  method: 'DELETE',
  path: '/api/account/oidc',
  right: 'account',
  tag: 'Accounts',
  summary: 'Remove the own login of the identity provider',
  description:
    'Afterwards the account signs in with its password alone. Its sessions last. An account without a password keeps its login; an administrator may give it a password.',
  request: {},
  responses: { 204: emptyResponse('The login is bound to no account.') },
  problems: ['not_found', 'last_sign_in'],
});
