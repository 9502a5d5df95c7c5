import { signOutContract } from '@sightline/contracts/accounts/sign-out-contract';
import type { Session } from '@sightline/core/accounts/session-authenticator';
import { parseToken } from '@sightline/core/accounts/secret-token';
import type { Visitor } from '../../auth/authorizer.ts';
import type { AccountContext } from '../../context/account-context.ts';
import { defineRoute } from '../../http/define-route.ts';
import { othersOf } from './other-cookies.ts';

export const signOutRoute = defineRoute(signOutContract, {
  async handler(context, { session, visitor }) {
    const { knownSessions, sessionCookie } = context;
    for (const id of await endSessions(context, visitor, session)) knownSessions.forget(id);
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

/** Ends the session of a request, or those of all its cookies if it has several. Returns their ids. */
async function endSessions(
  { sessions }: Pick<AccountContext, 'sessions'>,
  { ambiguousTokens }: Pick<Visitor, 'ambiguousTokens'>,
  session: Session | undefined,
): Promise<readonly number[]> {
  if (session !== undefined) {
    await sessions.end(session.account.id, session.id);
    return [session.id];
  }
  const hashes = ambiguousTokens.map(parseToken).filter((hash) => hash !== null);
  return hashes.length === 0 ? [] : sessions.endAll(hashes);
}
