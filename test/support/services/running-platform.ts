import { type Client, createClient } from '@sightline/contracts/client';
import { type RunningPlatform as Processes, runPlatform } from '@sightline/dev-platform/run-platform';
import type { SupervisedProcess } from '@sightline/dev-platform/supervised-process';
import { MINIO_BINARY } from '../servers/minio-binary.ts';
import {
  childEnvironment,
  type RunningService,
  type WantedKey,
  withKey,
} from './running-service.ts';
import { temporaryData } from '../fixtures/temporary-data.ts';

/** The platform: two processes that answer, on shared stores, with inference elsewhere. */
export interface RunningPlatform extends RunningService {
  /** Of the processes that answer. */
  readonly urls: readonly string[];
  readonly process: (name: string) => SupervisedProcess;
}

type Settings = Readonly<Record<string, string>>;

/**
 * Starts a platform of its own on free ports of the loopback interface. Requests of its client go to
 * its processes in turn, so that each one meets what the other has just done.
 *
 * @param qdrant the address of one that runs; if absent, each process has an index of its own
 */
export async function startPlatform(
  settings: Settings = {},
  qdrant?: string,
): Promise<RunningPlatform> {
  await using opening = new AsyncDisposableStack();
  const data = opening.use(await temporaryData('database')).path;
  const log: string[] = [];
  const processes: Processes = opening.use(
    await runPlatform({
      ...{ data, minio: MINIO_BINARY, port: 0 },
      qdrant: qdrant === undefined ? null : { url: qdrant, origin: 'a test', plan: null },
      environment: childEnvironment({ SIGHTLINE_WORKERS: '1', ...settings }),
      supervision: {
        restart: false,
        onLine: (_, line) => log.push(line),
        onEvent: (name, event) => log.push(`${name} ${event}`),
      },
      signal: new AbortController().signal,
    }),
  );
  const { urls, key: apiKey, sightline } = processes;
  const inTurn = alternating(urls);
  const clientWith = (key: string): Client =>
    createClient({
      baseUrl: urls[0]!,
      apiKey: key,
      fetch: (input, init) => fetch((input as string).replace(urls[0]!, inTurn()), init),
    });
  const createKey = async ({ environment, right }: WantedKey) => {
    const words = ['--environment', environment ?? 'default', '--right', right, '--json'];
    return JSON.parse(await sightline('key', 'create', ...words)) as { id: number; key: string };
  };
  const resources = opening.move();
  return {
    get url() {
      return inTurn();
    },
    ...{ urls, apiKey, log, sightline, createKey, clientWith },
    client: clientWith(apiKey),
    clientOf: async (wanted) => clientWith((await createKey(wanted)).key),
    fetch: (path, init) =>
      fetch(inTurn() + path, { ...init, headers: withKey(init?.headers, apiKey) }),
    inconsistencies: async () => JSON.parse(await sightline('check', '--json')) as string[],
    process: (name) => processes.processes.get(name)!,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function alternating(urls: readonly string[]): () => string {
  let turn = 0;
  return () => urls[turn++ % urls.length]!;
}
