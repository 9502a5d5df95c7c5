import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface RunOptions {
  /** The account that runs the program. The default is the account of this process. */
  readonly account?: Account | undefined;
  readonly cwd?: string;
  readonly input?: string;
  /** An abort sends SIGINT to the program. */
  readonly signal?: AbortSignal | undefined;
}

export interface Finished {
  /** The exit status; null if a signal ended the program. */
  readonly code: number | null;
  /** The program's stdout and stderr, trimmed. */
  readonly output: string;
}

/**
 * The environment of the programs. The environment of this process is not inherited, because variables such as
 * PGOPTIONS, PGPORT and LC_ALL change how Postgres programs behave.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program until it ends.
 *
 * @throws the system's error if the program cannot be started; an AbortError on abort
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { account, cwd, input, signal }: RunOptions = {},
): Promise<Finished> {
  const child = spawn(file, args, {
    cwd: cwd ?? '/',
    env: ENVIRONMENT,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    // The program gets its own session. Ctrl-C in the terminal then ends only the service, which stops its server
    // itself.
    detached: true,
    killSignal: 'SIGINT',
    ...(signal === undefined ? {} : { signal }),
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  if (child.stdin !== null) {
    child.stdin.end(input);
    // If the program ends without reading its input, its exit status or output tells why.
    finished(child.stdin).catch(() => undefined);
  }
  const code = await ended;
  return { code, output: Buffer.concat(chunks).toString().trim() };
}

/**
 * Launches a program that keeps running when this process ends.
 *
 * @param options.output a file descriptor for stdout and stderr
 * @throws the system's error if the program cannot be started
 */
export async function launchProgram(
  file: string,
  args: readonly string[],
  { account, cwd, output }: Pick<RunOptions, 'account' | 'cwd'> & { readonly output: number },
): Promise<ChildProcess> {
  const child = spawn(file, args, {
    cwd: cwd ?? '/',
    env: ENVIRONMENT,
    stdio: ['ignore', output, output],
    detached: true,
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  });
  child.unref();
  // This promise rejects if the program cannot be started.
  await once(child, 'spawn');
  return child;
}
