import {
  type RunningPlatform as Processes,
  runPlatform,
} from '@sightline/dev-platform/run-platform';
import type { SupervisedProcess } from '@sightline/dev-platform/supervised-process';
import { temporaryData } from '../fixtures/temporary-data.ts';
import { pathOfTool } from '../servers/tools.ts';
import { childEnvironment, type RunningService, ServiceClient } from './running-service.ts';

/** A platform of two API processes on shared stores, with inference in other processes. */
export interface RunningPlatform extends RunningService {
  /** The URLs of the processes that answer requests. */
  readonly urls: readonly string[];
  readonly process: (name: string) => SupervisedProcess;
}

export interface PlatformOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The address of a running Qdrant. If it is absent, each process has an index of its own. */
  readonly qdrant?: string;
  /** Receives every line that a process of the platform writes. */
  readonly onLine?: (line: string) => void;
}

/**
 * Starts a new platform on free ports of the loopback interface. Its client sends requests to the API processes in
 * turn, so a test fails if a process does not see what the other one has just changed.
 */
export async function startPlatform({
  settings = {},
  qdrant,
  onLine = () => undefined,
}: PlatformOptions = {}): Promise<RunningPlatform> {
  await using opening = new AsyncDisposableStack();
  const data = opening.use(await temporaryData('database')).path;
  const log: string[] = [];
  const note = (line: string): void => {
    log.push(line);
    onLine(line);
  };
  const processes: Processes = opening.use(
    await runPlatform({
      data,
      minio: pathOfTool('minio'),
      port: 0,
      qdrant: qdrant === undefined ? null : { url: qdrant, origin: 'a test', plan: null },
      kafka: null,
      environment: childEnvironment(settings),
      supervision: {
        restart: false,
        onLine: (_, line) => note(line),
        onEvent: (name, event) => note(`${name} ${event}`),
      },
      signal: new AbortController().signal,
    }),
  );
  const { urls, key: apiKey, sightline } = processes;
  const resources = opening.move();
  return Object.assign(new ServiceClient({ urls, apiKey, log: () => log, sightline }), {
    urls,
    process: (name: string) => processes.processes.get(name)!,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  });
}
