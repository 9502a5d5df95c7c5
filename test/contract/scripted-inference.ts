import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@sightline/dev-platform/free-port';

const SCRIPT = join(import.meta.dirname, 'fixtures/scripted-inference.ts');

/** A process that runs fixtures/scripted-inference.ts. */
export interface ScriptedInference extends AsyncDisposable {
  readonly url: URL;
  /** The process's port, which no other process takes after this one has ended. */
  readonly port: number;
  readonly process: ChildProcess;
  hasSaid(line: string): boolean;
  /** Settles when the process has written this line. */
  said(line: string): Promise<void>;
}

export async function startScriptedInference({
  port: given = 0,
  retryAfter = 1,
} = {}): Promise<ScriptedInference> {
  const port = given === 0 ? await freePort() : given;
  const child = spawn(process.execPath, [SCRIPT, String(port), String(retryAfter)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const [url] = (await once(reader, 'line')) as [string];
  return {
    url: new URL(url),
    port,
    process: child,
    hasSaid: (line) => lines.includes(line),
    async said(line) {
      while (!lines.includes(line)) await once(reader, 'line');
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
