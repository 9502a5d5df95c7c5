import { createKey } from './create-key.ts';
import type { KeyStore } from './key-store.ts';

/**
 * Makes an installation usable that has no key at all, revoked ones included: creates the
 * environment `default` and an administrator's key for it. Answers the key, or null if there were
 * keys.
 *
 * @throws StoreUnavailable
 */
export async function ensureFirstKey(deps: {
  readonly keys: Pick<KeyStore, 'list' | 'environment' | 'insert'>;
}): Promise<string | null> {
  if ((await deps.keys.list()).length > 0) return null;
  const { key } = await createKey(deps, {
    environment: 'default',
    label: 'first key',
    right: 'full',
    isAdmin: true,
    expiresAt: null,
  });
  return key;
}
