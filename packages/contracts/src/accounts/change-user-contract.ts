import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { storableText } from '../text.ts';
import { newPassword, User } from './user.ts';

const UUID_LENGTH = 36;

export const changeUserContract = defineContract({
  method: 'PATCH',
  path: '/api/account/users/{id}',
  right: 'administrator',
  tag: 'Accounts',
  summary: 'Change an account',
  description:
    'Absent members keep their values. The sessions of an account end with a new password, and when it is disabled. The keys that a disabled account has made are revoked; every process refuses them within five seconds.',
  request: {
    path: z.object({ id: storableText(UUID_LENGTH) }),
    body: accountBody(
      z.object({
        disabled: z.boolean().optional(),
        is_admin: z.boolean().optional(),
        email_verified: z.boolean().optional(),
        password: newPassword.optional(),
      }),
    ),
  },
  responses: { 200: jsonResponse('The account.', User) },
  problems: [...JSON_PROBLEMS, 'not_found', 'last_administrator', 'rate_limited'],
});
