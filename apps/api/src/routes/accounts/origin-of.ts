import type { SessionOrigin } from '@sightline/core/accounts/session-store';
import type { Visitor } from '../../auth/authorizer.ts';

/** The most characters of a browser's name that are kept. */
const MAX_USER_AGENT_LENGTH = 500;

export function originOf({ address, userAgent }: Visitor): SessionOrigin {
  return { address, userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null };
}
