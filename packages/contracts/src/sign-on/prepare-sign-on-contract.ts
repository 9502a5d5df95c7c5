import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { invitationToken } from '../members/accept-invitation-contract.ts';
import { BEGIN_PROBLEMS } from './sign-on.ts';

export const prepareSignOnContract = defineContract({
  method: 'POST',
  path: '/api/auth/oidc',
  right: 'visitor',
  replacesSession: true,
  tag: 'Accounts',
  summary: 'Begin a sign-in at the identity provider',
  description:
    'Returns the page of the OpenID provider to which the browser goes next. Without members the person is signed in. With `link` the login of the provider is bound to the account that is signed in, if its session still lasts when the person comes back. With `invitation_token` the person accepts an invitation, either as the account to which the login is bound, or with a new account that has no password; an e-mail address that has an account signs in first, and then accepts.',
  request: {
    body: accountBody(
      z.object({
        link: z.boolean().optional(),
        invitation_token: invitationToken.optional(),
      }),
    ),
  },
  responses: {
    200: {
      ...jsonResponse(
        'The sign-in has begun. It has to be completed within ten minutes.',
        z.object({ url: z.url().describe('The page of the provider.') }),
      ),
      headers: { 'Set-Cookie': 'The sign-in that has begun, sealed.' },
    },
  },
  problems: [...JSON_PROBLEMS, ...BEGIN_PROBLEMS, 'password_change_required'],
});
