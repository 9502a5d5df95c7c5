import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenEmail, givenPassword, User } from './user.ts';

export const signInContract = defineContract({
  method: 'POST',
  path: '/api/auth/sign-in/email',
  right: 'visitor',
  replacesSession: true,
  tag: 'Accounts',
  summary: 'Sign in',
  description:
    'Begins a session, which is a cookie. A session ends 7 days after its last use and 30 days after its beginning at the latest. After five failures of an e-mail address from one address within ten minutes, further attempts are refused with 429; so are they after 20 failures from one address. The session whose cookie the browser has sent ends, and other cookies of sessions are removed.',
  request: { body: accountBody(z.object({ email: givenEmail, password: givenPassword })) },
  responses: {
    200: {
      ...jsonResponse('The account.', z.object({ user: User })),
      headers: { 'Set-Cookie': 'The session. Further ones remove other cookies of sessions.' },
    },
  },
  problems: [...JSON_PROBLEMS, 'invalid_credentials', 'rate_limited'],
});
