import { defineContract, emptyResponse } from '../define-contract.ts';

export const signOutContract = defineContract({
  method: 'POST',
  path: '/api/auth/sign-out',
  right: 'visitor',
  replacesSession: true,
  tag: 'Accounts',
  summary: 'Sign out',
  description:
    'Ends the session of the cookie, or those of several cookies. Every process refuses the session within five seconds.',
  request: {},
  responses: {
    204: {
      ...emptyResponse('The session has ended, or there was none.'),
      headers: {
        'Set-Cookie': 'Removes the cookie.',
        'Clear-Site-Data': 'Removes what the browser has stored.',
      },
    },
  },
  problems: [],
});
