import {
  type Installation,
  openInstallation as openWith,
} from '@sightline/composition/open-installation';
import { createLogger } from '@sightline/platform/logging/logger';
import type { CommandInput } from './command.ts';

/**
 * Opens the installation that the configuration names.
 *
 * @param wait `timeoutMs`: how long to wait for a store that is down; 0 if absent
 * @throws StartError if the installation does not exist or cannot be used
 */
export function openInstallation(
  { stores, data, version, signal }: Pick<CommandInput, 'stores' | 'data' | 'version' | 'signal'>,
  { timeoutMs = 0 }: { readonly timeoutMs?: number } = {},
): Promise<Installation> {
  // Logs go to stderr, because another program may read the result from stdout.
  const logger = createLogger({ level: 'warn', destination: process.stderr });
  return openWith({ settings: stores(), data, version }, { logger, signal, timeoutMs });
}
