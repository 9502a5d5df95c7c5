import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { STARTER_CACHE } from '../fixtures/starter-cache-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface DemoRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /**
   * The files that Sightline left in its folder for temporary files, except the log of onnxruntime.
   */
  readonly leftBehind: readonly string[];
}

export interface DemoOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The output after which the test sends SIGINT. */
  readonly interruptAt?: string;
}

/** Runs the demo to its end, with the starter packs of the tests' cache. */
export async function runDemo(
  args: readonly string[],
  { settings = {}, interruptAt }: DemoOptions = {},
): Promise<DemoRun> {
  const temporary = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('SIGHTLINE_'),
    );
    const child = spawn(process.execPath, ['apps/demo/src/main.ts', ...args], {
      cwd: ROOT,
      env: {
        ...Object.fromEntries(inherited),
        TMPDIR: temporary,
        SIGHTLINE_CACHE: STARTER_CACHE,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    let interrupted = false;
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString();
      if (interruptAt === undefined || interrupted || !said.stdout.includes(interruptAt)) return;
      interrupted = true;
      child.kill('SIGINT');
    });
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    const leftBehind = (await readdir(temporary)).filter((name) => name.startsWith('sightline'));
    return { code, ...said, leftBehind };
  } finally {
    await rm(temporary, { recursive: true });
  }
}
