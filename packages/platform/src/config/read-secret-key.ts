import { StartError } from '../lifecycle/start-error.ts';
import type { ReadValues } from '../resilience/credential.ts';
import { readSecretFile, secretReader } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export const SECRET_KEY_BYTES = 32;

const NAMES = [VARIABLES.secretKey.name, VARIABLES.secretKeyFile.name] as const;

/**
 * Returns the function that reads the configured keys for encrypting secrets; null if no key is configured.
 *
 * @throws StartError if a key cannot be read or is invalid
 */
export function secretKeyReader(config: Config<'secretKey'>): ReadValues<Uint8Array> | null {
  const variables = { given: 'secretKey', file: 'secretKeyFile' } as const;
  return secretReader(config, variables, (text) => requireKey(text, NAMES.join(' or ')));
}

/** Reads the keys for encrypting secrets in a file. @throws StartError if a key cannot be read or is invalid */
export function readSecretKeyFile(path: string): readonly Uint8Array[] {
  return readSecretFile(path).map((text) => requireKey(text, `The file ${path}`));
}

/** Parses a key in base64. @throws StartError */
function requireKey(text: string, what: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  const isWhole = [key.toString('base64'), key.toString('base64url')].some(
    (whole) => whole.replace(/=+$/, '') === text.replace(/=+$/, ''),
  );
  if (isWhole && key.length === SECRET_KEY_BYTES) return key;
  throw new StartError(
    `${what} has to be ${SECRET_KEY_BYTES} bytes in base64, and in a second line at most one key that is still valid.`,
  );
}
