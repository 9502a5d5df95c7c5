import { StartError } from '../lifecycle/start-error.ts';
import { readSecret } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export const SECRET_KEY_BYTES = 32;

const NAMES = [VARIABLES.secretKey.name, VARIABLES.secretKeyFile.name] as const;

/**
 * The configured key for encrypting secrets; null if no key is configured.
 *
 * @throws StartError if the key cannot be read or is invalid
 */
export function readSecretKey(config: Config<'secretKey'>): Uint8Array | null {
  const text = readSecret(config, { given: 'secretKey', file: 'secretKeyFile' });
  if (text === null) return null;
  const key = parseSecretKey(text);
  if (key !== null) return key;
  throw new StartError(`${NAMES.join(' or ')} has to be ${SECRET_KEY_BYTES} bytes in base64.`);
}

/** Parses a key in base64. Returns null if the key is invalid. */
export function parseSecretKey(text: string): Uint8Array | null {
  const key = Buffer.from(text, 'base64');
  const isWhole = [key.toString('base64'), key.toString('base64url')].some(
    (whole) => whole.replace(/=+$/, '') === text.replace(/=+$/, ''),
  );
  return isWhole && key.length === SECRET_KEY_BYTES ? key : null;
}
