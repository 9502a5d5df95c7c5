import { createApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

export interface FirstKeyDeps {
  readonly keys: Pick<KeyStore, 'list' | 'environment' | 'insert'>;
  /** Stores the key where the operator finds it. */
  readonly keep: (key: string) => Promise<void>;
}

/**
 * Makes an installation usable that has never had a key: creates the environment `default` and an
 * administrator's key for it. Answers the key, or null if there were keys, even revoked ones.
 *
 * @throws StoreUnavailable; what `keep` throws
 */
export async function ensureFirstKey({ keys, keep }: FirstKeyDeps): Promise<string | null> {
  if ((await keys.list()).length > 0) return null;
  const { key, prefix, hash } = createApiKey();
  const environment = await keys.environment('default');
  // Stored first: in the other order a crash would leave a valid key that no one can read.
  await keep(key);
  await keys.insert({
    environmentId: environment.id,
    label: 'first key',
    right: 'full',
    isAdmin: true,
    prefix,
    expiresAt: null,
    hash,
  });
  return key;
}
