import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenEmail, givenName, newPassword, User } from './user.ts';

export const CreatedUser = User.extend({
  password: z
    .string()
    .optional()
    .describe('The password that the service made, shown only this once.'),
}).meta({ id: 'CreatedUser' });

export const createUserContract = defineContract({
  method: 'POST',
  path: '/api/account/users',
  right: 'administrator',
  tag: 'Accounts',
  summary: 'Create an account',
  description:
    'Without a password the service makes one. The person has to change the password after the first sign-in.',
  request: {
    body: accountBody(
      z.object({
        email: givenEmail,
        name: givenName.optional(),
        password: newPassword.optional(),
        is_admin: z.boolean().default(false),
      }),
    ),
  },
  responses: { 201: jsonResponse('The account.', CreatedUser) },
  problems: [...JSON_PROBLEMS, 'email_exists', 'rate_limited'],
});
