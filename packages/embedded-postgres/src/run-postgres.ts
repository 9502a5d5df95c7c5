import { StartError } from '@sightline/platform/lifecycle/start-error';
import { type Binaries, program } from './binaries.ts';
import { hasCode } from './has-code.ts';
import type { PostgresHome } from './postgres-home.ts';
import { type Finished, type RunOptions, runProgram } from './run-program.ts';

/** Everything that is needed to run a program of Postgres on a database. */
export interface PostgresTools extends PostgresHome {
  readonly binaries: Binaries;
}

/**
 * Runs a program of Postgres under the account of the database, in its place.
 *
 * @throws StartError if the machine cannot run it
 */
export async function runPostgres(
  { binaries, place, account }: PostgresTools,
  [name, ...args]: readonly ['initdb' | 'pg_ctl' | 'postgres', ...string[]],
  options: Pick<RunOptions, 'input' | 'signal'> = {},
): Promise<Finished> {
  try {
    return await runProgram(program(binaries, name), args, { ...options, account, cwd: place });
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'ENOEXEC'].some((code) => hasCode(error, code))) throw error;
    throw new StartError(
      `The programs of Postgres in ${binaries.root} do not run on this machine (${(error as Error).message}); they need a Linux with glibc, or macOS.`,
      { cause: error },
    );
  }
}
