import { spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';

/** An account of the machine under which a program runs; both are ids. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface RunOptions {
  /** The account to run under; the process's own if absent. */
  readonly account?: Account | undefined;
  readonly cwd?: string;
  /** What the program reads from its standard input. */
  readonly input?: string;
  /** An abort is a SIGINT for the program. */
  readonly signal?: AbortSignal | undefined;
}

export interface Finished {
  /** The exit status; null if a signal ended it. */
  readonly code: number | null;
  /** What it wrote to stdout and stderr, trimmed. */
  readonly output: string;
}

/**
 * Nothing of the surroundings gets through: variables like PGOPTIONS, PGPORT and LC_ALL would change
 * what the programs of Postgres do.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program to its end.
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
    // A session of its own: Ctrl-C in the terminal ends the service, which then ends its server.
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
    // A program that ends without reading it all says why itself.
    finished(child.stdin).catch(() => undefined);
  }
  const code = await ended;
  return { code, output: Buffer.concat(chunks).toString().trim() };
}
