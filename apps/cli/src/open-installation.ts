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
  const logger = createLogger({ level: 'warn' });
  return openWith({ settings: stores(), data, version }, { logger, signal, timeoutMs: 0 });
}
