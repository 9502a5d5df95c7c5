import type { ChildProcess } from 'node:child_process';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { type Binaries, program, type ProgramName } from './binaries.ts';
import { hasCode } from './has-code.ts';
import type { PostgresHome } from './postgres-home.ts';
import { type Finished, launchProgram, type RunOptions, runProgram } from './run-program.ts';

export interface PostgresTools extends PostgresHome {
  readonly binaries: Binaries;
}

/**
 * Runs a Postgres program as the database's account, in the database's location.
 *
 * @throws StartError if the program cannot run on this machine
 */
export async function runPostgres(
  { binaries, location, account }: PostgresTools,
  [name, ...args]: readonly [ProgramName, ...string[]],
  options: Pick<RunOptions, 'input' | 'signal'> = {},
): Promise<Finished> {
  try {
    return await runProgram(program(binaries, name), args, { ...options, account, cwd: location });
  } catch (error) {
    throw explained(error, binaries);
  }
}

/**
 * Launches the server of a location. The server keeps running when this process ends. pg_ctl is not used, because it
 * passes its own path to a shell.
 *
 * @param output the file descriptor for the output of the server
 * @throws StartError if the server cannot run on this machine
 */
export async function launchServer(
  { binaries, location, account }: PostgresTools,
  output: number,
): Promise<ChildProcess> {
  const args = ['-D', 'cluster'];
  try {
    return await launchProgram(program(binaries, 'postgres'), args, {
      account,
      cwd: location,
      output,
    });
  } catch (error) {
    throw explained(error, binaries);
  }
}

function explained(error: unknown, { root }: Binaries): unknown {
  if (!['ENOENT', 'EACCES', 'ENOEXEC'].some((code) => hasCode(error, code))) return error;
  return new StartError(
    `The Postgres programs in ${root} cannot run on this machine (${(error as Error).message}); they need a Linux with glibc, or macOS.`,
    { cause: error },
  );
}
