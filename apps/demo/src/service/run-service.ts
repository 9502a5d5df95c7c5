import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '@sightline/contracts/client';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { type LogRecord, parseLogRecord } from './log-record.ts';

const MAIN = resolve(import.meta.dirname, '../../../standalone/src/main.ts');

/** What the log says when the API can be asked; `url` tells where. */
const LISTENING = 'the API listens';

/** How the service tells of its first key, on the stream on which it tells why it ends. */
const KEY_NOTICE = 'The first API key';

/** A stop that takes longer than this is cut short. */
const STOP_MS = 40_000;

/** How long a service that does not answer has to end, before it counts as hanging. */
const END_MS = 2_000;

export interface RunningService extends AsyncDisposable {
  readonly client: Client;
  /** Fetches a path of the API, such as a stored image's, with the key. */
  fetch(path: string): Promise<Response>;
}

export interface ServiceOptions {
  /** The data folder; it need not be there. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends a start that takes long, and requests. */
  readonly signal: AbortSignal;
  /** Is told what the service logs. */
  readonly onRecord: (record: LogRecord) => void;
}

/**
 * Starts Sightline in a process of its own, on free ports of the loopback interface, and waits until
 * it can be asked. Settings in the environment hold, but not those of where it listens and keeps data.
 *
 * @throws StartError with what it said if it ends before that
 */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const { signal } = options;
  await using opening = new AsyncDisposableStack();
  const child = launch(options);
  opening.defer(() => stop(child));
  const said = collect(child);
  const ended = once(child, 'exit').then((): never => {
    throw new StartError(endSentence(said()));
  });
  // Somebody asks about the end later, or nobody does.
  ended.catch(() => undefined);
  const url = await Promise.race([listening(child, options.onRecord), ended, aborted(signal)]);
  const apiKey = (await readFile(join(options.data, 'api-key'), 'utf8')).trim();
  const guarded: typeof fetch = async (input, init) => {
    signal.throwIfAborted();
    // An abort does not reach the request: where one meets a body that is being read, Node's fetch
    // fails beside all promises, and nothing could be wound down any more.
    const response = fetch(input, init);
    try {
      return await Promise.race([response, aborted(signal)]);
    } catch (error) {
      response.catch(() => undefined);
      signal.throwIfAborted();
      await Promise.race([ended, delay(END_MS)]);
      throw new StartError('Sightline does not answer any more.', { cause: error });
    }
  };
  const resources = opening.move();
  return {
    client: createClient({ baseUrl: url, fetch: guarded, apiKey }),
    fetch: (path) => guarded(url + path, { headers: { 'X-API-Key': apiKey } }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function launch({ data, environment }: ServiceOptions): ChildProcess {
  return spawn(process.execPath, [MAIN], {
    env: {
      ...environment,
      SIGHTLINE_HOST: '127.0.0.1',
      SIGHTLINE_PORT: '0',
      SIGHTLINE_OPS_PORT: '0',
      SIGHTLINE_DATA: data,
      // Nor does it take stores that are meant for somebody else's data.
      SIGHTLINE_DATABASE_URL: '',
      SIGHTLINE_S3_ENDPOINT: '',
      SIGHTLINE_QDRANT_URL: '',
      SIGHTLINE_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches a whole process group, and a second signal would end the service unfinished:
    // it gets its one signal from `stop`.
    detached: true,
  });
}

/** Ends it, in order if it can; also where this process ends without waiting. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timeout = AbortSignal.timeout(STOP_MS);
  timeout.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  await exit;
}

function listening(child: ChildProcess, onRecord: ServiceOptions['onRecord']): Promise<string> {
  const leave = (): boolean => child.kill('SIGTERM');
  process.once('exit', leave);
  child.once('exit', () => process.off('exit', leave));
  return new Promise((ready) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const record = parseLogRecord(line);
      if (record === null) return;
      onRecord(record);
      if (record.msg === LISTENING && typeof record.url === 'string') ready(record.url);
    });
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(signal.reason as Error);
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}

function collect({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** What a service that ended said last, without the stack. */
function endSentence(stderr: string): string {
  const said = stderr
    .split('\n\n')
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !paragraph.startsWith(KEY_NOTICE))
    .at(-1);
  if (said === undefined) return 'Sightline ended without a word.';
  const lines = said.split('\n').filter((line) => !/^\s+at /.test(line));
  return `Sightline ended: ${lines.join('\n')}`;
}
