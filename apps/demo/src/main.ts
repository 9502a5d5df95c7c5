import { readEnvironment } from '@sightline/platform/config/read-environment';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { parseArguments } from './parse-arguments.ts';
import { runDemo } from './run-demo.ts';
import { createTerminal } from './terminal/terminal.ts';

// When the terminal or the pipe behind stdout closes, the demo stops the service and removes its folder, as after
// Ctrl-C.
const outputClosed = new Promise((resolve) => {
  process.once('SIGHUP', resolve);
  process.stdout.on('error', resolve);
});
void outputClosed.then(() => process.kill(process.pid, 'SIGTERM'));

await runMain(async (signal) => {
  const environment = readEnvironment();
  const terminal = createTerminal(process.stdout, environment);
  await runDemo(parseArguments(process.argv.slice(2)), { environment, terminal, signal });
});
