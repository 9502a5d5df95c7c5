import { COMMAND } from '../store/actor.ts';
import { normalizeLabel } from '../identities/label.ts';
import { createApiKey } from './api-key.ts';
import type { ApiKeyRecord, KeyStore } from './key-store.ts';

export interface CreateKeyRequest extends Pick<
  ApiKeyRecord,
  'label' | 'right' | 'isAdmin' | 'expiresAt'
> {
  /** The name of the environment, which is created if it does not exist. */
  readonly environment: string;
}

export interface CreatedKey {
  /** The key itself, which is never stored. */
  readonly key: string;
  readonly record: ApiKeyRecord;
}

/**
 * Creates a key for the environment of a name, as the command does.
 *
 * @throws InvalidLabel for the key's label or the environment's name; TooManyKeys, StoreUnavailable
 */
export async function createKey(
  deps: { readonly keys: Pick<KeyStore, 'environment' | 'insert'> },
  request: CreateKeyRequest,
): Promise<CreatedKey> {
  const { right, isAdmin, expiresAt } = request;
  const label = normalizeLabel(request.label);
  const environment = await deps.keys.environment(normalizeLabel(request.environment));
  const { key, prefix, hash } = createApiKey();
  const record = await deps.keys.insert({
    environmentId: environment.id,
    label,
    right,
    isAdmin,
    prefix,
    expiresAt,
    hash,
    actor: COMMAND,
  });
  return { key, record };
}
