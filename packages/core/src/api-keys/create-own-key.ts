import type { AccountActor } from '../accounts/account.ts';
import { actorOf } from '../store/actor.ts';
import { createApiKey } from './api-key.ts';
import type { CreatedKey } from './create-key.ts';
import type { KeyStore, NewApiKey } from './key-store.ts';

export type OwnKey = Pick<NewApiKey, 'environmentId' | 'label' | 'right' | 'expiresAt'> & {
  readonly by: AccountActor;
};

/**
 * Creates a key for an environment that the account is an owner of.
 *
 * @throws NotFound if the account is no member of the environment; Forbidden if it is no owner; TooManyKeys,
 *   StoreUnavailable
 */
export async function createOwnKey(
  { keys }: { readonly keys: Pick<KeyStore, 'insert'> },
  { by, ...request }: OwnKey,
): Promise<CreatedKey> {
  const { key, prefix, hash } = createApiKey();
  const record = await keys.insert({
    ...request,
    prefix,
    hash,
    isAdmin: false,
    actor: actorOf(by),
  });
  return { key, record };
}
