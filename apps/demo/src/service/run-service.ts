import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '@sightline/contracts/client';
import { ServiceProcess } from '@sightline/platform/lifecycle/service-process';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { type LogRecord, parseLogRecord } from './log-record.ts';

const MAIN = resolve(import.meta.dirname, '../../../standalone/src/main.ts');

/** The log message with which the API reports its `url`. */
const LISTENING = 'the API listens';

/** The beginning of the notice about the first key, which the service writes to stderr. */
const KEY_NOTICE = 'The first API key';

/** How long to wait for the exit of a service that does not answer, to report its reason. */
const END_MS = 2_000;

export interface RunningService extends AsyncDisposable {
  readonly client: Client;
  /** Fetches a path of the API, such as a stored image's, with the key. */
  fetch(path: string): Promise<Response>;
}

export interface ServiceOptions {
  /** The data folder; it need not exist. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts the start and every request. */
  readonly signal: AbortSignal;
  /** Receives the log of the service. */
  readonly onRecord: (record: LogRecord) => void;
}

/**
 * Starts Sightline in a process of its own, on free ports of the loopback interface, and waits until
 * the API listens. The process inherits the environment, except for the settings of addresses and
 * stores.
 *
 * @throws StartError with the last words of the process if it ends before that
 */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const { signal } = options;
  await using opening = new AsyncDisposableStack();
  const listening = Promise.withResolvers<string>();
  const service = opening.use(launch(options, listening.resolve));
  const ended = service.lastErrorLines().then((lines): never => {
    throw new StartError(endSentence(lines));
  });
  // The exit may be awaited only later, or never: it must not count as an unhandled rejection.
  ended.catch(() => undefined);
  const url = await orAbort(Promise.race([listening.promise, ended]), signal);
  const apiKey = (await readFile(join(options.data, 'api-key'), 'utf8')).trim();
  const guarded: typeof fetch = async (input, init) => {
    signal.throwIfAborted();
    // The signal is not passed to fetch: if it aborts while a body is being read, Node's fetch throws
    // outside of every promise, and the demo could not clean up.
    const response = fetch(input, init);
    try {
      return await orAbort(response, signal);
    } catch (error) {
      response.catch(() => undefined);
      signal.throwIfAborted();
      await Promise.race([ended, delay(END_MS)]);
      throw new StartError('Sightline does not answer anymore.', { cause: error });
    }
  };
  const resources = opening.move();
  return {
    client: createClient({ baseUrl: url, fetch: guarded, apiKey }),
    fetch: (path) => guarded(url + path, { headers: { 'X-API-Key': apiKey } }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function launch(
  { data, environment, onRecord }: ServiceOptions,
  onListening: (url: string) => void,
): ServiceProcess {
  const command = {
    command: process.execPath,
    args: [MAIN],
    environment: {
      ...environment,
      SIGHTLINE_HOST: '127.0.0.1',
      SIGHTLINE_PORT: '0',
      SIGHTLINE_OPS_HOST: '',
      SIGHTLINE_OPS_PORT: '0',
      SIGHTLINE_DRAIN_SECONDS: '0',
      SIGHTLINE_DATA: data,
      // The demo must not write to stores that the environment names for other data.
      SIGHTLINE_DATABASE_URL: '',
      SIGHTLINE_DATABASE_URL_FILE: '',
      SIGHTLINE_S3_ENDPOINT: '',
      SIGHTLINE_QDRANT_URL: '',
      SIGHTLINE_LOG_LEVEL: 'info',
    },
  };
  return new ServiceProcess(command, (line) => {
    const record = parseLogRecord(line);
    if (record === null) return;
    onRecord(record);
    if (record.msg === LISTENING && typeof record.url === 'string') onListening(record.url);
  });
}

/** The last paragraph that the service wrote to stderr, without the stack. */
function endSentence(errorLines: readonly string[]): string {
  const said = errorLines
    .join('\n')
    .split('\n\n')
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !paragraph.startsWith(KEY_NOTICE))
    .at(-1);
  if (said === undefined) return 'Sightline ended without an error message.';
  const lines = said.split('\n').filter((line) => !/^\s+at /.test(line));
  return `Sightline ended: ${lines.join('\n')}`;
}
