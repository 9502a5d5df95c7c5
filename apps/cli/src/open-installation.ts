import {
  type Installation,
  openInstallation as openWith,
} from '@sightline/composition/open-installation';
import { createLogger } from '@sightline/platform/logging/logger';
import type { CommandInput } from './command.ts';

/**
 * Opens the installation that the configuration names, without waiting for a store that is down.
 *
 * @throws StartError if there is none or it cannot be used
 */
export function openInstallation({
  stores,
  data,
  version,
  signal,
}: Pick<CommandInput, 'stores' | 'data' | 'version' | 'signal'>): Promise<Installation> {
  // Stdout belongs to the result, which a program may read.
  const logger = createLogger({ level: 'warn', destination: process.stderr });
  return openWith({ settings: stores(), data, version }, { logger, signal, timeoutMs: 0 });
}
