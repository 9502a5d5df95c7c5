import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createClient } from '@sightline/contracts/client';
import {
  childEnvironment,
  type RunningService,
  type WantedKey,
  withKey,
} from './running-service.ts';
import { temporaryData } from '../fixtures/temporary-data.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** What the log says when a listener is up. */
const LISTENERS = new Map([
  ['the API listens', 'api'],
  ['the operations listener is up', 'operations'],
]);

/** A Sightline of its own, in a process of its own, on free ports of the loopback interface. */
export interface RunningStandalone extends RunningService {
  /** Where the operations listener answers. */
  readonly opsUrl: string;
  readonly process: ChildProcess;
  /** Its data folder; a temporary one goes with the service unless it was given. */
  readonly data: string;
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>;
  /** Ends it without warning. */
  kill(): Promise<void>;
}

export interface StartFailure {
  readonly code: number | null;
  readonly stderr: string;
}

type Environment = Record<string, string>;

function launch(settings: Environment, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: childEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const MAIN = 'apps/standalone/src/main.ts';

/** Empty where the service found keys in a database that others use. */
async function firstKeyIn(data: string): Promise<string> {
  try {
    return (await readFile(join(data, 'api-key'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Starts Sightline and waits until it listens. `main` is the script that starts it.
 *
 * @throws Error with what it wrote to stderr if it ends before that
 */
export async function startStandalone(
  settings: Environment = {},
  main: string = MAIN,
): Promise<RunningStandalone> {
  await using opening = new AsyncDisposableStack();
  const given = settings.SIGHTLINE_DATA;
  const data = given ?? opening.use(await temporaryData()).path;
  const child = launch({ ...settings, SIGHTLINE_DATA: data }, [main]);
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const { log, urls } = await untilListening(child, exit);
  const apiKey = await firstKeyIn(data);
  const resources = opening.move();
  const url = urls.get('api')!;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exit;
  };
  const sightline = (...words: string[]) =>
    runCommand({ ...settings, SIGHTLINE_DATA: data }, words);
  const createKey = async ({ environment, right }: WantedKey) => {
    const words = ['--environment', environment ?? 'default', '--right', right, '--json'];
    return JSON.parse(await sightline('key', 'create', ...words)) as { id: number; key: string };
  };
  const clientWith = (key: string) => createClient({ baseUrl: url, fetch, apiKey: key });
  return {
    ...{ url, data, apiKey, log, sightline, createKey },
    opsUrl: urls.get('operations')!,
    process: child,
    client: clientWith(apiKey),
    fetch: (path, init) => fetch(url + path, { ...init, headers: withKey(init?.headers, apiKey) }),
    clientWith,
    clientOf: async (wanted) => clientWith((await createKey(wanted)).key),
    inconsistencies: async () => JSON.parse(await sightline('check', '--json')) as string[],
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      await end('SIGTERM');
      await resources.disposeAsync();
    },
  };
}

async function untilListening(
  child: ChildProcess,
  exit: Promise<number | null>,
): Promise<{ readonly log: readonly string[]; readonly urls: ReadonlyMap<string, string> }> {
  const log: string[] = [];
  const stderr = collect(child.stderr!);
  const urls = new Map<string, string>();
  const listening = new Promise<void>((ready) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      log.push(line);
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

async function runCommand(settings: Environment, words: readonly string[]): Promise<string> {
  const child = launch(settings, ['apps/cli/src/main.ts', ...words]);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`sightline ${words.join(' ')} ended with ${code}: ${stderr()}`);
  return stdout();
}

/** Runs Sightline to its end: for starts that are to fail, and for `--help`. */
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
