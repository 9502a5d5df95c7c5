import { readStoreSettings } from '@sightline/composition/store-settings';
import { DomainError } from '@sightline/core/domain-error';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import manifest from '../package.json' with { type: 'json' };
import { COMMANDS } from './commands.ts';
import { commandHelp, parseCommandLine } from './parse-command-line.ts';

await runMain(async (signal) => {
  const invocation = parseCommandLine(COMMANDS, process.argv.slice(2));
  if (invocation === null) {
    process.stdout.write(`${commandHelp(COMMANDS)}\n`);
    return;
  }
  const { command, options, operands } = invocation;
  const { config } = parseConfig(readEnvironment());
  try {
    await command.run({
      ...{ options, operands, signal, data: config.data },
      stores: () => readStoreSettings(config),
      version: manifest.version,
      print: (line) => process.stdout.write(`${line}\n`),
      note: (line) => process.stderr.write(`${line}\n`),
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(error.message, { cause: error });
  }
});
