import { COMMANDS } from '@sightline/cli/commands';
import { indexRebuildWithin } from '@sightline/cli/commands/index-rebuild';
import { parseCommandLine } from '@sightline/cli/parse-command-line';
import { runCommand } from '@sightline/cli/run-command';
import { runMain } from '@sightline/platform/lifecycle/run-main';

/**
 * The `sightline` command with one difference: `index rebuild --wait` waits for a worker for SIGHTLINE_TEST_WORKER_MS
 * only.
 */
const load = () =>
  Promise.resolve(indexRebuildWithin(Number(process.env.SIGHTLINE_TEST_WORKER_MS)));
const commands = COMMANDS.map((entry) =>
  entry.name === 'index rebuild' ? { ...entry, load } : entry,
);

await runMain(async (signal) => {
  const invocation = await parseCommandLine(commands, process.argv.slice(2));
  if (invocation !== null) await runCommand(invocation, { version: '0.0.0-test', signal });
});
