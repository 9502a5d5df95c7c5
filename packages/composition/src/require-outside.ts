import type { Config } from '@sightline/platform/config/parse-config';
import { VARIABLES } from '@sightline/platform/config/variables';
import { StartError } from '@sightline/platform/lifecycle/start-error';

const OUTSIDE = ['databaseUrl', 's3Endpoint', 'qdrantUrl', 'inferenceUrl'] as const;

/**
 * Makes sure that a process which keeps nothing itself is told where everything is.
 *
 * @param what it is, for the sentence
 * @throws StartError that names all that is missing
 */
export function requireOutside(what: string, config: Config): void {
  const missing = OUTSIDE.filter((key) => config[key] === null).map((key) => VARIABLES[key].name);
  if (missing.length === 0) return;
  const names = [missing.slice(0, -1).join(', '), missing.at(-1)!].filter((part) => part !== '');
  throw new StartError(
    `${what} keeps nothing itself and needs ${names.join(' and ')}; Sightline in one process (make start) needs none of them.`,
  );
}
