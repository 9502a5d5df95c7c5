import {
  type Installation,
  openInstallation as openWith,
} from '@sightline/composition/open-installation';
import { createLogger } from '@sightline/platform/logging/logger';
import type { CommandInput } from './command.ts';

/**
 * Opens the installation that the configuration names. Fails at once if a store is down.
 *
 * @throws StartError if the installation does not exist or cannot be used
 */
export function openInstallation({
  stores,
  data,
  version,
  signal,
}: Pick<CommandInput, 'stores' | 'data' | 'version' | 'signal'>): Promise<Installation> {
  // Logs go to stderr, because another program may read the result from stdout.
  const logger = createLogger({ level: 'warn', destination: process.stderr });
  return openWith({ settings: stores(), data, version }, { logger, signal, timeoutMs: 0 });
}
