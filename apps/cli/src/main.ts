import { asStartError } from '@sightline/composition/as-start-error';
import { readStoreSettings } from '@sightline/composition/store-settings';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { runMain } from '@sightline/platform/lifecycle/run-main';
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
  const { config } = parseConfig(readEnvironment(), ['data', 'database', 'media', 'vectors']);
  try {
    await command.run({
      ...{ options, operands, signal, data: config.data },
      stores: () => readStoreSettings(config),
      version: manifest.version,
      print: (line) => process.stdout.write(`${line}\n`),
      note: (line) => process.stderr.write(`${line}\n`),
    });
  } catch (error) {
    throw asStartError(error);
  }
});
