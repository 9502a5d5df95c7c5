import { asStartError } from '@sightline/composition/as-start-error';
import { readStoreSettings } from '@sightline/composition/store-settings';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readDatabaseOwner } from '@sightline/platform/config/read-database-settings';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { CommandInput } from './command.ts';
import type { Invocation } from './parse-command-line.ts';

/**
 * Runs a command with the configuration of this process.
 *
 * @throws StartError with a sentence for the person at the terminal
 */
export async function runCommand(
  { command, options, operands }: NonNullable<Invocation>,
  context: Pick<CommandInput, 'version' | 'signal'>,
): Promise<void> {
  const groups = [
    'data',
    'start',
    'database',
    'migration',
    'media',
    'vectors',
    'secretKey',
  ] as const;
  const { config, warnings } = parseConfig(readEnvironment(), groups);
  const note = (line: string) => void process.stderr.write(`${line}\n`);
  // Without these warnings, a misspelled variable would silently make the command use another installation.
  warnings.forEach(note);
  try {
    await command.run({
      ...context,
      options,
      operands,
      data: config.data,
      stores: () => readStoreSettings(config),
      startTimeout: config.startTimeout,
      secretKey: config,
      databaseOwner: () => readDatabaseOwner(config),
      print: (line) => process.stdout.write(`${line}\n`),
      note,
    });
  } catch (error) {
    throw asStartError(error);
  }
}
