import type { IncomingHttpHeaders } from 'node:http';
import type { RequiredRight } from '@sightline/contracts/define-contract';
import { AdminRequired, Unauthenticated } from '@sightline/core/access/access-errors';
import type { Caller } from '@sightline/core/access/caller';
import type { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import { Forbidden } from './forbidden.ts';

export interface Authorization {
  readonly keys: Pick<KeyAuthenticator, 'authenticate'>;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns the caller of a request, or undefined if the endpoint needs no key.
 *
 * @throws Unauthenticated, AdminRequired, Forbidden, StoreUnavailable
 */
export async function authorize(
  right: RequiredRight,
  { keys, headers }: Authorization,
  signal: AbortSignal,
): Promise<Caller | undefined> {
  if (right === 'none') return undefined;
  const key = headers['x-api-key'];
  // Node joins repeated headers with a comma. No key contains a comma, so repeated headers match no key.
  if (typeof key !== 'string') throw new Unauthenticated();
  const caller = await keys.authenticate(key, signal);
  if (right === 'admin' && !caller.isAdmin) {
    throw new AdminRequired("This request needs an administrator's key.");
  }
  if (right !== 'read' && caller.right !== 'full') {
    throw new Forbidden('This request needs a key with full rights; the given key is read-only.');
  }
  return caller;
}
