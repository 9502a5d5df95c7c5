import type { Caller } from '@sightline/core/access/caller';
import { Forbidden } from '../../auth/forbidden.ts';

/** The setting that only full keys may see, because its URL may contain a secret. */
const FOR_FULL_KEYS = 'webhook.url';

export function maySee(caller: Pick<Caller, 'right'>, key: string): boolean {
  return key !== FOR_FULL_KEYS || caller.right === 'full';
}

/** @throws Forbidden */
export function requireVisible(caller: Pick<Caller, 'right'>, key: string): void {
  if (!maySee(caller, key)) throw new Forbidden(`${key} is hidden from read-only keys.`);
}
