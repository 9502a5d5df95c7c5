import { signInContract } from '@sightline/contracts/accounts/sign-in-contract';
import { signIn } from '@sightline/core/accounts/sign-in';
import { defineRoute } from '../../http/define-route.ts';
import { endSessions } from './end-sessions.ts';
import { originOf } from './origin-of.ts';
import { othersOf } from './other-cookies.ts';
import { presentUser } from './present-user.ts';

export const signInRoute = defineRoute(signInContract, {
  async handler(context, { body, visitor, session, requestId, signal }) {
    const { countedAddress } = visitor;
    const origin = originOf(visitor);
    const request = { ...body.fields, countedAddress, origin, requestId };
    const { account, token } = await signIn(context, request, signal);
    // A person who has kept the old cookie cannot continue the session that this one replaces.
    await endSessions(context, { session, visitor });
    const { sessionCookie } = context;
    return {
      status: 200,
      body: { user: presentUser(account) },
      headers: {
        'Set-Cookie': [...othersOf(visitor, sessionCookie), sessionCookie.set(token)],
      },
    };
  },
});
