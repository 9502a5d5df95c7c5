import { runMain } from '@sightline/platform/lifecycle/run-main';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };
import { COMMANDS } from './commands.ts';
import { commandHelp, parseCommandLine } from './parse-command-line.ts';

enableCodeCache();
await runMain(async (signal) => {
  const invocation = await parseCommandLine(COMMANDS, process.argv.slice(2));
  if (invocation === null) {
    process.stdout.write(`${commandHelp(COMMANDS)}\n`);
    return;
  }
  const { runCommand } = await import('./run-command.ts');
  await runCommand(invocation, { version: manifest.version, signal });
});
