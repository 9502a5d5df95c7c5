import type { IncomingHttpHeaders } from 'node:http';
import type { RequiredRight } from '@sightline/contracts/define-contract';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import type { KeyAuthenticator } from '@sightline/core/api-keys/authenticate-key';
import type { Caller } from '@sightline/core/access/caller';
import { Forbidden } from './forbidden.ts';

export interface Authorization {
  readonly keys: Pick<KeyAuthenticator, 'authenticate'>;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Who asks; undefined where nobody needs to say so.
 *
 * @throws Unauthenticated, Forbidden, StoreUnavailable
 */
export async function authorize(
  right: RequiredRight,
  { keys, headers }: Authorization,
  signal: AbortSignal,
): Promise<Caller | undefined> {
  if (right === 'none') return undefined;
  const key = headers['x-api-key'];
  // Node joins a header that is sent twice: no key has a comma in it.
  if (typeof key !== 'string') throw new Unauthenticated();
  const caller = await keys.authenticate(key, signal);
  if (right === 'full' && caller.right !== 'full') {
    throw new Forbidden('This needs a key with full rights; this one only reads.');
  }
  return caller;
}
