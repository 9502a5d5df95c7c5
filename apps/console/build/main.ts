import { buildConsole } from './build-console.ts';

/** Prints the folder of the built console on standard output, so that a shell can put it into a variable. */
const started = () =>
  process.stderr.write('Building the console: once after each change, a few seconds\n');
process.stdout.write(`${await buildConsole({ started })}\n`);
