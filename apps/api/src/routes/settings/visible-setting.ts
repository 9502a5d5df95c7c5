import { type Caller, includesRight } from '@sightline/core/access/caller';
import { Forbidden } from '@sightline/core/access/access-errors';

/** The setting that only owners and full keys may see, because its URL may contain a secret. */
const FOR_OWNERS = 'webhook.url';

/** @param caller undefined for an administrator without an environment */
export function maySee(caller: Pick<Caller, 'right'> | undefined, key: string): boolean {
  return key !== FOR_OWNERS || (caller !== undefined && includesRight(caller.right, 'owner'));
}

/** @throws Forbidden */
export function requireVisible(caller: Pick<Caller, 'right'> | undefined, key: string): void {
  if (!maySee(caller, key))
    throw new Forbidden(`${key} is hidden from callers with fewer rights than an owner.`);
}
