import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Visitor } from '../../auth/authorizer.ts';

/** The headers `Set-Cookie` that remove the cookies of sessions that a browser has besides that of the service. */
export function othersOf(
  { ambiguousTokens, serviceOrigin }: Pick<Visitor, 'ambiguousTokens' | 'serviceOrigin'>,
  sessionCookie: Pick<SessionCookie, 'clearOthers'>,
): readonly string[] {
  return ambiguousTokens.length === 0 ? [] : sessionCookie.clearOthers(serviceOrigin);
}
