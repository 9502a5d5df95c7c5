import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@sightline/platform/config/read-environment';
import { FolderLock } from '@sightline/platform/data-folder/folder-lock';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { freePorts } from './free-port.ts';
import { SECRET_KEY_BYTES } from '@sightline/platform/config/read-secret-key';
import { keptSecret } from './kept-secret.ts';
import {
  databaseSecret,
  type Listener,
  type PlatformOptions,
  planPlatform,
} from './platform-plan.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { SupervisedProcess, type Supervision } from './supervised-process.ts';

export interface RunOptions extends Pick<
  PlatformOptions,
  'environment' | 'minio' | 'qdrant' | 'kafka'
> {
  /** The absolute path of the data folder, which is created if it does not exist. */
  readonly data: string;
  /**
   * The port of the first service. The other services get the following ports. With 0, all services get free ports.
   */
  readonly port: number;
  readonly supervision: Supervision;
  readonly signal: AbortSignal;
}

export interface RunningPlatform extends AsyncDisposable {
  readonly urls: readonly string[];
  /** The processes by name, in the order in which they were started. */
  readonly processes: ReadonlyMap<string, SupervisedProcess>;
  readonly key: string;
  readonly keyFile: string;
  /** Runs the command `sightline` on the platform's stores and returns the standard output. */
  readonly sightline: (...args: string[]) => Promise<string>;
}

const [APIS, INFERENCES] = [2, 2];
const MAIN_OF_COMMAND = join(ROOT, 'apps/cli/src/main.ts');

/**
 * Starts the platform's stores, then migrates the schema, then starts all other processes in parallel. Disposal stops
 * the processes in reverse order.
 *
 * @throws StartError if another platform uses the data folder, or if a process ends; the signal's reason on abort
 */
export async function runPlatform(options: RunOptions): Promise<RunningPlatform> {
  const { data, supervision, signal } = options;
  await mkdir(join(data, 'secrets'), { recursive: true, mode: 0o700 });
  await using opening = new AsyncDisposableStack();
  opening.use(takeFolder(data));
  const keyFile = join(data, 'secrets/key');
  await keptSecret(keyFile, SECRET_KEY_BYTES);
  const secrets = {
    keyFile,
    database: await keptSecret(databaseSecret(data)),
    service: await keptSecret(join(data, 'secrets/database-service')),
    minio: await keptSecret(join(data, 'secrets/minio')),
  };
  const ports = await choosePorts(options.port);
  const plan = planPlatform({ ...options, secrets, ports });
  const processes = new Map<string, SupervisedProcess>();
  const start = (plans: typeof plan.stores): SupervisedProcess[] =>
    plans.map((each) => {
      const started = opening.use(new SupervisedProcess(each, supervision));
      started.start();
      processes.set(each.name, started);
      return started;
    });
  const ready = (started: readonly SupervisedProcess[]) =>
    Promise.all(started.map((each) => each.untilReady(signal)));

  const inference = start(plan.inference);
  await ready(start(plan.stores));
  const sightline = (...args: string[]) => command(plan.commandEnvironment, args, signal);
  await command({ ...plan.commandEnvironment, ...plan.migrationEnvironment }, ['migrate'], signal);
  const key = await keepKey(join(data, 'api-key'), sightline);
  const rest = start([...plan.background, ...plan.apis]);
  await ready([...inference, ...rest]);
  const resources = opening.move();
  return {
    urls: ports.api.map(({ port }) => `http://127.0.0.1:${port}`),
    processes,
    sightline,
    ...key,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function takeFolder(data: string): FolderLock {
  const lock = FolderLock.take(join(data, 'lock'));
  if (lock !== undefined) return lock;
  throw new StartError(
    `Another platform uses ${data}: stop that platform, or set SIGHTLINE_DATA to another folder.`,
  );
}

async function choosePorts(first: number): Promise<PlatformOptions['ports']> {
  const [database, minio, worker, relay, projector, dispatcher, ...free] = await freePorts(
    6 + 2 * (INFERENCES + APIS),
  );
  const background = {
    worker: worker!,
    relay: relay!,
    projector: projector!,
    dispatcher: dispatcher!,
  };
  const listeners = (count: number, from = 0): Listener[] =>
    Array.from({ length: count }, (_, index) => {
      const [port, opsPort] = free.splice(0, 2);
      return { port: from === 0 ? port! : from + index, opsPort: opsPort! };
    });
  const [inference, api] = [listeners(INFERENCES), listeners(APIS, first)];
  return { database: database!, minio: minio!, background, inference, api };
}

async function command(
  environment: Environment,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    [process.execPath, MAIN_OF_COMMAND, ...args],
    environment,
    signal,
  );
  if (code === 0) return stdout;
  throw new StartError(`sightline ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
}

/** Reads the API key from its file. At the first start, creates the key and the file. */
async function keepKey(
  keyFile: string,
  sightline: RunningPlatform['sightline'],
): Promise<Pick<RunningPlatform, 'key' | 'keyFile'>> {
  const kept = await readIfThere(keyFile);
  if (kept !== null) return { key: kept, keyFile };
  const key = (await sightline('key', 'create', '--admin', '--label', 'local platform')).trim();
  await writeFile(keyFile, `${key}\n`, { mode: 0o600 });
  return { key, keyFile };
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
