import { readFileSync } from 'node:fs';
import { StartError } from '../lifecycle/start-error.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

type TextKey = {
  [Key in keyof Config]: Config[Key] extends string | null ? Key : never;
}[keyof Config];

/**
 * The two variables for one secret: `given` contains the secret itself, and `file` the path of a file with the
 * secret.
 */
export interface SecretVariables<Key extends TextKey> {
  readonly given: Key;
  readonly file: Key;
}

/**
 * Reads a secret; null if neither variable is set.
 *
 * @throws StartError if both variables are set, or if the file cannot be read or is empty
 */
export function readSecret<Key extends TextKey>(
  config: Readonly<Record<Key, string | null>>,
  { given, file }: SecretVariables<Key>,
): string | null {
  const names = [VARIABLES[given].name, VARIABLES[file].name] as const;
  const [secret, path] = [config[given], config[file]];
  if (secret !== null && path !== null) {
    throw new StartError(`${names[0]} and ${names[1]} are both set: unset one of them.`);
  }
  return path === null ? secret : readSecretFile(names[1], path);
}

/** Reads the file and removes surrounding white space, such as the line feed that editors append. */
function readSecretFile(name: string, path: string): string {
  const text = readTextOrExplain(name, path).trim();
  if (text === '') throw new StartError(`The file ${path} of ${name} is empty.`);
  return text;
}

function readTextOrExplain(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`The file ${path} of ${name} cannot be read (${code}).`, { cause: error });
  }
}
