import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Environment } from '@sightline/platform/config/read-environment';

export interface CommandResult {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program until it exits.
 *
 * @throws the system's error if the program cannot be started; an AbortError on abort
 */
export async function runCommand(
  [file, ...args]: readonly [string, ...string[]],
  environment: Environment,
  signal: AbortSignal,
): Promise<CommandResult> {
  const child = spawn(file, args, {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
