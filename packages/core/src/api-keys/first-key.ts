import { SERVICE } from '../store/actor.ts';
import { createApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

export interface FirstKeyDeps {
  readonly keys: Pick<KeyStore, 'list' | 'environments' | 'environment' | 'insert'>;
  /** Stores the key in a place where the operator of the installation can read it. */
  readonly keep: (key: string) => Promise<void>;
}

const ENVIRONMENT = 'default';

/**
 * Creates the environment `default` and an administrator's key for it, unless the installation has or had keys. The
 * deletion of an environment deletes its keys, but leaves its owner another environment. Only one process may call this at
 * a time. Returns the key, or null if it was not created.
 *
 * @throws StoreUnavailable; the errors of `keep`
 */
export async function ensureFirstKey({ keys, keep }: FirstKeyDeps): Promise<string | null> {
  if ((await keys.list()).length > 0) return null;
  const environments = await keys.environments();
  if (environments.some(({ name }) => name !== ENVIRONMENT)) return null;
  const { key, prefix, hash } = createApiKey();
  const environment = await keys.environment(ENVIRONMENT);
  // The operator gets the key before the key becomes valid. Otherwise a crash could leave a valid key that no person
  // knows.
  await keep(key);
  await keys.insert({
    environmentId: environment.id,
    label: 'first key',
    right: 'full',
    isAdmin: true,
    prefix,
    expiresAt: null,
    hash,
    actor: SERVICE,
  });
  return key;
}
