import { readFileSync } from 'node:fs';
import type { ReadValues } from '../resilience/credential.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

type TextKey = {
  [Key in keyof Config]: Config[Key] extends string | null ? Key : never;
}[keyof Config];

/** The most values of a secret: the current one, and one that is still valid. */
const MOST_VALUES = 2;

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
 * @throws StartError if both variables are set, or if the file cannot be read, is empty or has too many lines
 */
export function readSecret<Key extends TextKey>(
  config: Readonly<Record<Key, string | null>>,
  variables: SecretVariables<Key>,
): string | null {
  return readSecretValues(config, variables)?.[0] ?? null;
}

/**
 * Returns the function that reads the valid values of a secret, one per line, from the variable or from the current
 * content of the file; null if neither variable is set. The values are read once, so that the start fails if that fails.
 *
 * @param parse converts and checks a value
 * @throws StartError as {@link readSecret}; the errors of `parse`
 */
export function secretReader<Key extends TextKey, T = string>(
  config: Readonly<Record<Key, string | null>>,
  variables: SecretVariables<Key>,
  parse: (value: string) => T,
): ReadValues<T> | null {
  const read = () => readSecretValues(config, variables)?.map(parse) ?? [];
  return read().length === 0 ? null : read;
}

/** The values of a secret, the current one first; null if neither variable is set. @throws StartError */
export function readSecretValues<Key extends TextKey>(
  config: Readonly<Record<Key, string | null>>,
  { given, file }: SecretVariables<Key>,
): readonly string[] | null {
  const names = [VARIABLES[given].name, VARIABLES[file].name] as const;
  const [secret, path] = [config[given], config[file]];
  if (secret !== null && path !== null) {
    throw new StartError(`${names[0]} and ${names[1]} are both set: unset one of them.`);
  }
  if (path === null) return secret === null ? null : valuesOf(names[0], secret);
  return readSecretFile(path, `The file ${path} of ${names[1]}`);
}

/** The values in a file, the current one first. @param what names the file in errors @throws StartError */
export function readSecretFile(path: string, what = `The file ${path}`): readonly string[] {
  const values = valuesOf(what, readTextOrExplain(what, path));
  if (values.length === 0) throw new StartError(`${what} is empty.`);
  return values;
}

/** Splits a text into its lines, without surrounding white space, such as the line feed that editors append. */
function valuesOf(what: string, text: string): readonly string[] {
  const values = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (values.length <= MOST_VALUES) return values;
  throw new StartError(
    `${what} has ${values.length} lines: give the current secret, and in a second line at most one that is still valid.`,
  );
}

function readTextOrExplain(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`${what} cannot be read (${code}).`, { cause: error });
  }
}
