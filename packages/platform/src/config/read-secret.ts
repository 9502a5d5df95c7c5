import { readFileSync } from 'node:fs';
import { StartError } from '../lifecycle/start-error.ts';
import type { Config } from './parse-config.ts';
import { VARIABLES } from './variables.ts';

type TextKey = {
  [Key in keyof Config]: Config[Key] extends string | null ? Key : never;
}[keyof Config];

/** The two variables by which a secret may be given: itself, or the path of a file that holds it. */
export interface SecretVariables {
  readonly given: TextKey;
  readonly file: TextKey;
}

/**
 * A secret of the configuration; null if it is not given.
 *
 * @throws StartError if it is given twice, or if its file cannot be read or is empty
 */
export function readSecret(config: Config, { given, file }: SecretVariables): string | null {
  const names = [VARIABLES[given].name, VARIABLES[file].name] as const;
  const [secret, path] = [config[given], config[file]];
  if (secret !== null && path !== null) {
    throw new StartError(`${names[0]} and ${names[1]} are both set: unset one of them.`);
  }
  return path === null ? secret : readSecretFile(names[1], path);
}

/** As editors and secret stores write it: with a line feed behind it or without. */
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
