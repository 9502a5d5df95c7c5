import { parseToken } from '@sightline/core/accounts/secret-token';
import type { Session } from '@sightline/core/accounts/session-authenticator';
import type { Visitor } from '../../auth/authorizer.ts';
import type { AccountContext } from '../../context/account-context.ts';

/** Ends the session of a request, or those of all its cookies if it has several. */
export async function endSessions(
  { knownSessions, sessions }: Pick<AccountContext, 'knownSessions' | 'sessions'>,
  {
    session,
    visitor,
  }: {
    readonly session?: Session | undefined;
    readonly visitor: Pick<Visitor, 'ambiguousTokens'>;
  },
): Promise<void> {
  if (session !== undefined) {
    await sessions.end(session.account.id, session.id);
    knownSessions.forget(session.id);
    return;
  }
  const hashes = visitor.ambiguousTokens.map(parseToken).filter((hash) => hash !== null);
  if (hashes.length === 0) return;
  for (const id of await sessions.endAll(hashes)) knownSessions.forget(id);
}
