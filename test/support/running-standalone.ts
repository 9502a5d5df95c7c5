import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { shared } from './shared.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What the log says when a listener is up. */
const LISTENERS = new Map([
  ['the API listens', 'api'],
  ['the operations listener is up', 'operations'],
]);

/** A Sightline of its own, in a process of its own, on free ports of the loopback interface. */
export interface RunningStandalone extends AsyncDisposable {
  /** Where the API answers. */
  readonly url: string;
  /** Where the operations listener answers. */
  readonly opsUrl: string;
  readonly process: ChildProcess;
  /** Everything it wrote to stdout so far, a line each. */
  readonly log: readonly string[];
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>;
}

export interface StartFailure {
  readonly code: number | null;
  readonly stderr: string;
}

type Environment = Record<string, string>;

/** The environment of a child: this machine's, without settings that leaked in from outside. */
function environment(settings: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGHTLINE_'));
  return {
    ...Object.fromEntries(inherited),
    SIGHTLINE_PORT: '0',
    SIGHTLINE_OPS_PORT: '0',
    SIGHTLINE_MODELS_DIR: shared('packs'),
    ...settings,
  };
}

function launch(settings: Environment, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['apps/standalone/src/main.ts', ...args], {
    cwd: ROOT,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * Starts Sightline and waits until it listens.
 *
 * @throws Error with what it wrote to stderr if it ends before that
 */
export async function startStandalone(settings: Environment = {}): Promise<RunningStandalone> {
  const child = launch(settings, []);
  const log: string[] = [];
  const stderr = collect(child);
  const urls = new Map<string, string>();
  const listening = new Promise<void>((ready) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      log.push(line);
      const { msg = '', url } = parseRecord(line);
      if (LISTENERS.has(msg) && url !== undefined) urls.set(LISTENERS.get(msg)!, url);
      if (urls.size === LISTENERS.size) ready();
    });
  });
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  await Promise.race([
    listening,
    exit.then((code) => {
      throw new Error(`Sightline ended with ${code}: ${stderr()}`);
    }),
  ]);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    return exit;
  };
  return {
    url: urls.get('api')!,
    opsUrl: urls.get('operations')!,
    process: child,
    log,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** Runs Sightline to its end: for starts that are to fail, and for `--help`. */
export async function runStandalone(
  settings: Environment = {},
  args: readonly string[] = [],
): Promise<StartFailure & { readonly stdout: string }> {
  const child = launch(settings, args);
  const stderr = collect(child);
  let stdout = '';
  child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr: stderr(), stdout };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

interface LogRecord {
  readonly msg?: string;
  readonly url?: string;
}

function parseRecord(line: string): LogRecord {
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    return {};
  }
}
