import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

/** A system account under which a program runs; both are ids. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface RunOptions {
  /** The account to run under; default: that of this process. */
  readonly account?: Account | undefined;
  readonly cwd?: string;
  /** The program's standard input. */
  readonly input?: string;
  /** An abort sends SIGINT to the program. */
  readonly signal?: AbortSignal | undefined;
}

export interface Finished {
  /** The exit status; null if a signal ended the program. */
  readonly code: number | null;
  /** Its stdout and stderr, trimmed. */
  readonly output: string;
}

/**
 * The environment is not inherited, because variables such as PGOPTIONS, PGPORT and LC_ALL change
 * the behavior of the Postgres programs.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program until it ends.
 *
 * @throws the system's error if it cannot be started; an AbortError after an abort
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
    // A session of its own, so that Ctrl-C in the terminal ends only the service, which then stops its server.
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
    // A program that ends without reading its input reports the reason itself.
    finished(child.stdin).catch(() => undefined);
  }
  const code = await ended;
  return { code, output: Buffer.concat(chunks).toString().trim() };
}

/**
 * Launches a program that goes on when this process ends.
 *
 * @param options.output file descriptor of its stdout and stderr
 * @throws the system's error if it cannot be started
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
  // Rejects if it cannot be started.
  await once(child, 'spawn');
  return child;
}
