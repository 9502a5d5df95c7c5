import type { OwnedRecord } from '@sightline/core/accounts/environment-store';
import type { Session } from '@sightline/core/accounts/session-authenticator';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../context/api-context.ts';

export interface MediaSubject {
  readonly scope: Scope;
  readonly session: Session | undefined;
  readonly record: OwnedRecord;
}

/**
 * The environment in which the file of a record is looked for. A page cannot name the environment of its pictures in a
 * header, so a session finds them in all environments of its account.
 *
 * @throws StoreUnavailable
 */
export async function scopeOfMedia(
  { environments }: Pick<ApiContext, 'environments'>,
  { scope, session, record }: MediaSubject,
  signal: AbortSignal,
): Promise<Scope> {
  if (session === undefined) return scope;
  const environmentId = await environments.having(session.account.id, record, signal);
  return environmentId === null ? scope : { environmentId };
}
