import { signOutContract } from '@sightline/contracts/accounts/sign-out-contract';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import type { Session } from '@sightline/core/accounts/session-authenticator';
import type { AccountContext } from '../../context/account-context.ts';
import { defineRoute } from '../../http/define-route.ts';
import { othersOf } from './other-cookies.ts';

/** The most cookies whose sessions one request ends. */
const MOST_COOKIES = 5;

export const signOutRoute = defineRoute(signOutContract, {
  async handler(context, { session, visitor, signal }) {
    const { sessions, knownSessions, sessionCookie } = context;
    const ended = session === undefined ? await sessionsOf(context, visitor, signal) : [session];
    for (const { id, account } of ended) {
      await sessions.end(account.id, id);
      knownSessions.forget(id);
    }
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

/** The sessions of a request that has several cookies. */
async function sessionsOf(
  { knownSessions }: Pick<AccountContext, 'knownSessions'>,
  { ambiguousTokens }: { readonly ambiguousTokens: readonly string[] },
  signal: AbortSignal,
): Promise<readonly Pick<Session, 'id' | 'account'>[]> {
  const found: Session[] = [];
  for (const token of ambiguousTokens.slice(0, MOST_COOKIES)) {
    try {
      found.push(await knownSessions.authenticate(token, null, signal));
    } catch (error) {
      if (!(error instanceof Unauthenticated)) throw error;
    }
  }
  return found;
}
