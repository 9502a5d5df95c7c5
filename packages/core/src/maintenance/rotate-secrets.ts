import type { InstallationStore } from '../installation/installation-store.ts';
import type { SealingKey, SecretBox } from '../secrets/secret-box.ts';
import {
  type ReplacedSecret,
  SECRET_COLUMNS,
  type SecretColumn,
  type SecretPlace,
  type StoredSecret,
  type StoredSecrets,
} from './stored-secrets.ts';

export interface RotateSecretsDeps {
  readonly storedSecrets: StoredSecrets;
  readonly installation: Pick<InstallationStore, 'replaceSecretKey'>;
  readonly secrets: SecretBox & { readonly keys: readonly SealingKey[] };
}

export interface Rotation {
  /** The id of the key with which the secrets are now encrypted. */
  readonly keyId: string;
  readonly rotated: Readonly<Record<SecretColumn, number>>;
  /** A sentence for each secret that could not be decrypted. It was left as it was. */
  readonly unreadable: readonly string[];
}

const PAGE = 100;

/**
 * Encrypts all stored secrets again that are not encrypted with the first key. Each page is one transaction, and later
 * calls continue where one was killed. Services may run at the same time. Once every secret has the first key, it becomes
 * the key of the installation, which the keys of each starting process have to include.
 *
 * @throws NoSecretKey, StoreUnavailable
 */
export async function rotateSecrets(
  { storedSecrets, installation, secrets }: RotateSecretsDeps,
  signal?: AbortSignal,
): Promise<Rotation> {
  const { id: keyId, prefix, check } = secrets.keys[0]!;
  const rotated = { webhook: 0, previous_webhook: 0, image_url: 0 };
  const unreadable: string[] = [];
  const reseal = (column: SecretColumn, secret: StoredSecret): readonly ReplacedSecret[] => {
    const { sealed, environmentId } = secret;
    try {
      const text = secrets.open(sealed, environmentId);
      return [{ ...secret, replacement: secrets.seal(text, environmentId) }];
    } catch (error) {
      unreadable.push(`${nameOf(column, secret)}: ${(error as Error).message}`);
      return [];
    }
  };
  // A webhook whose secret changes meanwhile moves it to the column that comes next, so that it is found there.
  for (const column of SECRET_COLUMNS) {
    let after: SecretPlace | null = null;
    let page: readonly StoredSecret[];
    do {
      page = await storedSecrets.page(column, { prefix, after, limit: PAGE }, signal);
      const replaced = page.flatMap((secret) => reseal(column, secret));
      rotated[column] += await storedSecrets.replace(column, replaced, signal);
      after = page.at(-1) ?? null;
    } while (page.length === PAGE);
  }
  if (unreadable.length === 0) await installation.replaceSecretKey(check);
  return { keyId, rotated, unreadable };
}

function nameOf(column: SecretColumn, { environmentId, id, index }: SecretPlace): string {
  const names: Readonly<Record<SecretColumn, string>> = {
    webhook: `Secret of webhook ${id}`,
    previous_webhook: `Previous secret of webhook ${id}`,
    image_url: `Password in the URL of item ${index} of job ${id}`,
  };
  return `${names[column]} in environment ${environmentId}`;
}
