import type { Config } from '@sightline/platform/config/variable-groups';
import { VARIABLES } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export type ExternalNeed = 'media' | 'vectors' | 'inference';

/** The settings that name a service. One setting per service is enough. */
const KEYS = {
  database: ['databaseUrl', 'databaseUrlFile'],
  media: ['s3Endpoint'],
  vectors: ['qdrantUrl'],
  inference: ['inferenceUrl'],
} as const;

export type ServiceAddresses = Partial<Pick<Config, (typeof KEYS)[keyof typeof KEYS][number]>>;

/**
 * Checks that the configuration names the external services that a process needs.
 *
 * @throws StartError that names all missing variables
 */
export function requireExternal(
  { name, needs }: { readonly name: string; readonly needs: readonly ExternalNeed[] },
  config: ServiceAddresses,
): void {
  const missing = (['database', ...needs] as const)
    .map((need) => KEYS[need])
    .filter((keys) => keys.every((key) => (config[key] ?? null) === null))
    .map(([key]) => VARIABLES[key].name);
  if (missing.length === 0) return;
  const names = [missing.slice(0, -1).join(', '), missing.at(-1)!].filter((part) => part !== '');
  throw new StartError(
    `${name} needs external services: set ${names.join(' and ')}. To run Sightline in one process without them, use make start.`,
  );
}
