import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { InstallationStore } from '@sightline/core/installation/installation-store';
import {
  readSecretKeyFile,
  SECRET_KEY_BYTES,
  secretKeyReader,
} from '@sightline/platform/config/read-secret-key';
import type { Config } from '@sightline/platform/config/variable-groups';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import type { ReadValues } from '@sightline/platform/resilience/credential';
import { AesSecretBox } from './aes-secret-box.ts';

export interface SecretsDeps {
  readonly config: Config<'secretKey'>;
  readonly installation: Pick<InstallationStore, 'claimSecretKey'>;
  /** The file for a generated key if no key is configured; null if the process has no folder for it. */
  readonly file: string | null;
  readonly logger: Logger;
}

/**
 * Opens the encryption of secrets with the configured keys, or otherwise with the key in the data folder, which the
 * first start generates. All processes of an installation have a key in common.
 *
 * @throws StartError if the configured keys cannot be read, or none of them is the key of the installation
 */
export async function openSecrets({
  config,
  installation,
  file,
  logger,
}: SecretsDeps): Promise<AesSecretBox> {
  const isOurs = (box: AesSecretBox): Promise<boolean> =>
    installation.claimSecretKey(box.keys.map(({ check }) => check));
  const configured = secretKeyReader(config);
  if (configured !== null) {
    const box = new AesSecretBox(configured);
    if (await isOurs(box)) return box;
    throw new StartError(
      'SIGHTLINE_SECRET_KEY is not the key that the secrets of this installation are encrypted with.',
    );
  }
  const kept = file === null ? null : new AesSecretBox(await keepKey(file));
  if (kept !== null && (await isOurs(kept))) return kept;
  logger.warn(
    'SIGHTLINE_SECRET_KEY is not set: new webhooks with a secret, jobs with passwords in URLs and sign-ins at an OpenID provider are refused, and existing webhooks with a secret get no messages',
  );
  return new AesSecretBox(null);
}

async function keepKey(file: string): Promise<ReadValues<Uint8Array>> {
  if (!existsSync(file)) {
    await writeDurably(file, `${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`);
  }
  return () => readSecretKeyFile(file);
}
