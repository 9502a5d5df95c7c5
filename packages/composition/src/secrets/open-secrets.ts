import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { InstallationStore } from '@sightline/core/installation/installation-store';
import type { SecretBox } from '@sightline/core/webhooks/secret-box';
import {
  parseSecretKey,
  readSecretKey,
  SECRET_KEY_BYTES,
} from '@sightline/platform/config/read-secret-key';
import type { Config } from '@sightline/platform/config/variable-groups';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import { AesSecretBox, secretKeyCheck } from '@sightline/events/webhooks/aes-secret-box';

export interface SecretsDeps {
  readonly config: Config<'secretKey'>;
  readonly installation: Pick<InstallationStore, 'claimSecretKey'>;
  /** The file for a generated key if no key is configured; null if the process has no folder for it. */
  readonly file: string | null;
  readonly logger: Logger;
}

/**
 * Opens the encryption of secrets with the configured key, or otherwise with the key in the data folder, which the
 * first start generates. All processes of an installation need the same key.
 *
 * @throws StartError if the configured key cannot be read, or differs from the key of the installation
 */
export async function openSecrets({
  config,
  installation,
  file,
  logger,
}: SecretsDeps): Promise<SecretBox> {
  const configured = readSecretKey(config);
  if (configured !== null) {
    if (await installation.claimSecretKey(secretKeyCheck(configured))) {
      return new AesSecretBox(configured);
    }
    throw new StartError(
      'SIGHTLINE_SECRET_KEY is not the key that the secrets of this installation are encrypted with.',
    );
  }
  const kept = file === null ? null : await keepKey(file);
  if (kept !== null && (await installation.claimSecretKey(secretKeyCheck(kept)))) {
    return new AesSecretBox(kept);
  }
  logger.warn(
    'SIGHTLINE_SECRET_KEY is not set: new webhooks with a secret and jobs with passwords in URLs are refused, and existing webhooks with a secret get no messages',
  );
  return new AesSecretBox(null);
}

async function keepKey(file: string): Promise<Uint8Array> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StartError(`The file ${file} cannot be read (${code}).`, { cause });
  });
  if (text === null) {
    const generated = randomBytes(SECRET_KEY_BYTES);
    await writeDurably(file, `${generated.toString('base64')}\n`);
    return generated;
  }
  const key = parseSecretKey(text.trim());
  if (key === null) throw new StartError(`The file ${file} does not contain a valid key.`);
  return key;
}
