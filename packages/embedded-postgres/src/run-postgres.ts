import { StartError } from '@sightline/platform/lifecycle/start-error';
import { type Binaries, program } from './binaries.ts';
import { hasCode } from './has-code.ts';
import type { PostgresHome } from './postgres-home.ts';
import { type Finished, type RunOptions, runProgram } from './run-program.ts';

/** Everything needed to run a Postgres program on a database. */
export interface PostgresTools extends PostgresHome {
  readonly binaries: Binaries;
}

/**
 * Runs a Postgres program under the database's account, in the database's location.
 *
 * @throws StartError if the program cannot run on this machine
 */
export async function runPostgres(
  { binaries, location, account }: PostgresTools,
  [name, ...args]: readonly ['initdb' | 'pg_ctl' | 'postgres', ...string[]],
  options: Pick<RunOptions, 'input' | 'signal'> = {},
): Promise<Finished> {
  try {
    return await runProgram(program(binaries, name), args, { ...options, account, cwd: location });
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'ENOEXEC'].some((code) => hasCode(error, code))) throw error;
    throw new StartError(
      `The Postgres programs in ${binaries.root} cannot run on this machine (${(error as Error).message}); they need a Linux with glibc, or macOS.`,
      { cause: error },
    );
  }
}
