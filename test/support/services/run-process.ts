import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment } from './running-service.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface ProcessEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runProcess(
  main: string,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ProcessEnd> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: ROOT,
    env: childEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
