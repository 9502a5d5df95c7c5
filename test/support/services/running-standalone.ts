import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { preparedData, temporaryData } from '../fixtures/temporary-data.ts';
import { childEnvironment, type RunningService, ServiceClient } from './running-service.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The log message with which each listener reports that it accepts requests. */
const LISTENERS = new Map([
  ['the API listens', 'api'],
  ['the operations listener started', 'operations'],
]);

/** A Sightline in a single process, on free ports of the loopback interface. */
export interface RunningStandalone extends RunningService {
  /** The URL of the operations listener. */
  readonly opsUrl: string;
  readonly process: ChildProcess;
  /** The data folder, which disposal removes unless the test gave it. */
  readonly data: string;
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

export interface StartFailure {
  readonly code: number | null;
  readonly stderr: string;
}

type Environment = Record<string, string>;

function launch(settings: Readonly<Record<string, string>>, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: childEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const MAIN = 'apps/standalone/src/main.ts';

/** Returns the first key; empty if the database already had keys. */
async function firstKeyIn(data: string): Promise<string> {
  try {
    return (await readFile(join(data, 'api-key'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

export interface StandaloneOptions {
  /** The script that starts the service. */
  readonly main?: string;
  /** Receives every line that the process writes to stdout. */
  readonly onLine?: (line: string) => void;
}

/**
 * Starts Sightline and waits until it listens. Without a data folder it gets a prepared one.
 * @throws Error with the process's stderr if the process ends before it listens
 */
export async function startStandalone(
  settings: Environment = {},
  { main = MAIN, onLine = () => undefined }: StandaloneOptions = {},
): Promise<RunningStandalone> {
  await using opening = new AsyncDisposableStack();
  const data = settings.SIGHTLINE_DATA ?? opening.use(await preparedData()).path;
  const child = launch({ ...settings, SIGHTLINE_DATA: data }, [main]);
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const { log, urls } = await untilListening(child, { exit, onLine });
  const apiKey = await firstKeyIn(data);
  const resources = opening.move();
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exit;
  };
  const client = new ServiceClient({
    urls: [urls.get('api')!],
    apiKey,
    log: () => log,
    sightline: (...args) => runCommand({ ...settings, SIGHTLINE_DATA: data }, args),
  });
  return Object.assign(client, {
    data,
    opsUrl: urls.get('operations')!,
    process: child,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      await end('SIGTERM');
      await resources.disposeAsync();
    },
  });
}

async function untilListening(
  child: ChildProcess,
  {
    exit,
    onLine,
  }: { readonly exit: Promise<number | null>; readonly onLine: (line: string) => void },
): Promise<{ readonly log: readonly string[]; readonly urls: ReadonlyMap<string, string> }> {
  const log: string[] = [];
  const stderr = collect(child.stderr!);
  const urls = new Map<string, string>();
  const listening = new Promise<void>((ready) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      log.push(line);
      onLine(line);
      const { msg = '', url } = parseRecord(line);
      if (LISTENERS.has(msg) && url !== undefined) urls.set(LISTENERS.get(msg)!, url);
      if (urls.size === LISTENERS.size) ready();
    });
  });
  await Promise.race([
    listening,
    exit.then((code) => {
      throw new Error(`Sightline ended with ${code}: ${stderr()}`);
    }),
  ]);
  return { log, urls };
}

export async function runCommand(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const child = launch(settings, ['apps/cli/src/main.ts', ...args]);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`sightline ${args.join(' ')} ended with ${code}: ${stderr()}`);
  return stdout();
}

/** Runs Sightline until it exits, for starts that fail and for `--help`. */
export async function runStandalone(
  settings: Environment = {},
  args: readonly string[] = [],
): Promise<StartFailure & { readonly stdout: string }> {
  await using data = await temporaryData();
  const child = launch({ SIGHTLINE_DATA: data.path, ...settings }, [MAIN, ...args]);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr: stderr(), stdout: stdout() };
}

function collect(stream: Readable): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
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
