import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenName, newPassword, User } from '../accounts/user.ts';

const MAX_TOKEN_LENGTH = 100;

/** The secret of an invitation. */
export const invitationToken = z.string().max(MAX_TOKEN_LENGTH).meta({ format: 'password' });

export const acceptInvitationContract = defineContract({
  method: 'POST',
  path: '/api/auth/invitations/accept',
  right: 'visitor',
  tag: 'Accounts',
  summary: 'Accept an invitation',
  description:
    'A person with an account signs in first; the session has to be that of the invited e-mail address. Otherwise `name` and `password` are those of a new account, which is then signed in. An invitation is accepted once.',
  request: {
    body: accountBody(
      z.object({
        token: invitationToken,
        name: givenName.optional(),
        password: newPassword.optional(),
      }),
    ),
  },
  responses: {
    200: {
      ...jsonResponse(
        'The account is a member of the environment.',
        z.object({ user: User, environment_id: z.int() }),
      ),
      headers: { 'Set-Cookie': 'The session of a new account.' },
    },
  },
  problems: [
    ...JSON_PROBLEMS,
    'unauthenticated',
    'not_found',
    'forbidden',
    'member_exists',
    'password_change_required',
    'rate_limited',
  ],
});
