import {
  type Installation,
  openInstallation as openWith,
} from '@sightline/composition/open-installation';
import { createLogger } from '@sightline/platform/logging/logger';
import type { CommandInput } from './command.ts';

/**
 * The installation of the configuration. A command waits for nothing.
 *
 * @throws StartError if there is none or it cannot be used
 */
export function openInstallation({
  stores,
  data,
  version,
  signal,
}: Pick<CommandInput, 'stores' | 'data' | 'version' | 'signal'>): Promise<Installation> {
  // What a command answers may be read by a program.
  const logger = createLogger({ level: 'warn', destination: process.stderr });
  return openWith({ settings: stores(), data, version }, { logger, signal, timeoutMs: 0 });
}
