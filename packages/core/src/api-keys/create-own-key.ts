import { createApiKey } from './api-key.ts';
import type { CreatedKey } from './create-key.ts';
import type { KeyStore, NewApiKey } from './key-store.ts';

export type OwnKey = Pick<NewApiKey, 'environmentId' | 'label' | 'right' | 'expiresAt'> & {
  readonly accountId: string;
};

/**
 * Creates a key for an environment that the account is an owner of.
 *
 * @throws NotFound if the account is no member of the environment; Forbidden if it is no owner; StoreUnavailable
 */
export async function createOwnKey(
  { keys }: { readonly keys: Pick<KeyStore, 'insert'> },
  request: OwnKey,
): Promise<CreatedKey> {
  const { key, prefix, hash } = createApiKey();
  const record = await keys.insert({ ...request, prefix, hash, isAdmin: false });
  return { key, record };
}
