import { asStartError } from '@sightline/composition/as-start-error';
import { readStoreSettings } from '@sightline/composition/store-settings';
import { parseConfig } from '@sightline/platform/config/parse-config';
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
  const { config } = parseConfig(readEnvironment());
  try {
    await command.run({
      ...context,
      options,
      operands,
      data: config.data,
      stores: () => readStoreSettings(config),
      print: (line) => process.stdout.write(`${line}\n`),
      note: (line) => process.stderr.write(`${line}\n`),
    });
  } catch (error) {
    throw asStartError(error);
  }
}
