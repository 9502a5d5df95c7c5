import { signOutContract } from '@sightline/contracts/accounts/sign-out-contract';
import { defineRoute } from '../../http/define-route.ts';
import { endSessions } from './end-sessions.ts';
import { othersOf } from './other-cookies.ts';

export const signOutRoute = defineRoute(signOutContract, {
  async handler(context, { session, visitor }) {
    const { sessionCookie } = context;
    await endSessions(context, { session, visitor });
    return {
      status: 204,
      body: undefined,
      headers: {
        'Set-Cookie': [...othersOf(visitor, sessionCookie), sessionCookie.clear()],
        'Clear-Site-Data': '"cache", "storage"',
      },
    };
  },
});
