import { Forbidden } from '../access/access-errors.ts';
import type { EnvironmentStore } from '../accounts/environment-store.ts';
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
  deps: {
    readonly environments: Pick<EnvironmentStore, 'get'>;
    readonly keys: Pick<KeyStore, 'insert'>;
  },
  request: OwnKey,
  signal?: AbortSignal,
): Promise<CreatedKey> {
  const { accountId, environmentId } = request;
  const { role } = await deps.environments.get(accountId, environmentId, signal);
  if (role !== 'owner') throw new Forbidden('Only an owner of the environment may create keys.');
  const { key, prefix, hash } = createApiKey();
  const record = await deps.keys.insert({ ...request, prefix, hash, isAdmin: false });
  return { key, record };
}
