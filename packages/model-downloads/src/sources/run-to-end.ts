import { spawn } from 'node:child_process';

export interface Run {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Called after each chunk of output, with the beginning of stdout and stderr so far. */
  readonly onOutput: (output: string) => void;
}

export interface Ended {
  /** The exit status; null if a signal ended the program. */
  readonly code: number | null;
  /** The beginning of stdout and stderr. */
  readonly output: string;
}

const MAX_OUTPUT = 64 * 1024;

/**
 * Runs a program until it ends. An abort kills the program and its child processes at once.
 *
 * @throws the system's error if the program cannot be started; the signal's reason on abort
 */
export async function runToEnd(
  file: string,
  args: readonly string[],
  { cwd, environment, signal, onOutput }: Run,
): Promise<Ended> {
  signal.throwIfAborted();
  // The program gets a process group of its own, so that its children can be killed with it.
  const child = spawn(file, args, {
    cwd,
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = (): void => killGroup(child.pid);
  signal.addEventListener('abort', kill, { once: true });
  let output = '';
  const collect = (chunk: Buffer): void => {
    if (output.length >= MAX_OUTPUT) return;
    output += chunk.toString();
    onOutput(output);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
    signal.throwIfAborted();
    return { code, output };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
