import { z } from 'zod';
import { accountBody, defineContract, emptyResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenPassword, newPassword } from './user.ts';

export const changePasswordContract = defineContract({
  method: 'PUT',
  path: '/api/account/password',
  right: 'signed-in',
  tag: 'Accounts',
  summary: 'Change the own password',
  description:
    'Ends all other sessions of the account. A wrong current password counts as a failed sign-in.',
  request: {
    body: accountBody(z.object({ current_password: givenPassword, new_password: newPassword })),
  },
  responses: { 204: emptyResponse('The password has been changed.') },
  problems: [...JSON_PROBLEMS, 'invalid_credentials', 'rate_limited'],
});
