import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '@sightline/contracts/client';
import { ServiceProcess } from '@sightline/platform/lifecycle/service-process';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { type LogRecord, parseLogRecord } from './log-record.ts';

const MAIN = resolve(import.meta.dirname, '../../../standalone/src/main.ts');

/** The message of the log record whose field `url` is the address of the API. */
const LISTENING = 'the API listens';

/** The first words of the notice about the first API key, which the service writes to stderr. */
const KEY_NOTICE = 'The first API key';

/**
 * How long to wait for the exit of a service that does not answer, in ms. The reason of the exit becomes the error
 * message.
 */
const END_MS = 2_000;

export interface RunningService extends AsyncDisposable {
  readonly client: Client;
  /** Fetches a path of the API with the key, such as the path of a stored image. */
  fetch(path: string): Promise<Response>;
}

export interface ServiceOptions {
  /** The path of the data folder, which is created if it does not exist. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts the start and every request. */
  readonly signal: AbortSignal;
  readonly onRecord: (record: LogRecord) => void;
}

/**
 * Starts Sightline in a separate process on free ports of the loopback interface, and waits until the API listens.
 * The process inherits the environment, except for the settings of addresses and stores.
 *
 * @throws StartError with the process's last error output if the process ends before the API listens
 */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const { signal } = options;
  await using opening = new AsyncDisposableStack();
  const listening = Promise.withResolvers<string>();
  const service = opening.use(launch(options, listening.resolve));
  const ended = service.lastErrorLines().then((lines): never => {
    throw new StartError(endSentence(lines));
  });
  // This handler does nothing. Without it, a rejection at a time when no code awaits the promise would be unhandled
  // and end the demo.
  ended.catch(() => undefined);
  const url = await orAbort(Promise.race([listening.promise, ended]), signal);
  const apiKey = (await readFile(join(options.data, 'api-key'), 'utf8')).trim();
  const guarded: typeof fetch = async (input, init) => {
    signal.throwIfAborted();
    // The signal is not passed to fetch. If the signal aborted during the read of a body, Node's fetch would throw
    // outside of every promise, and the demo could not clean up.
    const response = fetch(input, init);
    try {
      return await orAbort(response, signal);
    } catch (error) {
      response.catch(() => undefined);
      signal.throwIfAborted();
      await Promise.race([ended, delay(END_MS)]);
      throw new StartError('Sightline stopped answering.', { cause: error });
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
