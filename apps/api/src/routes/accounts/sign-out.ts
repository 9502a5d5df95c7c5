import { signOutContract } from '@sightline/contracts/accounts/sign-out-contract';
import { defineRoute } from '../../http/define-route.ts';

export const signOutRoute = defineRoute(signOutContract, {
  async handler({ sessions, knownSessions, sessionCookie }, { session }) {
    if (session !== undefined) {
      await sessions.end(session.account.id, session.id);
      knownSessions.forget(session.id);
    }
    return {
      status: 204,
      body: undefined,
      headers: {
        'Set-Cookie': sessionCookie.clear(),
        'Clear-Site-Data': '"cache", "storage"',
      },
    };
  },
});
