import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Builds the console for a service of a suite's own, and returns its folder. Vite runs in a process of its own, because
 * Jest's modules are not those of Node.
 */
export async function builtConsole(): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['apps/console/build/main.ts']);
  return stdout.trim();
}
