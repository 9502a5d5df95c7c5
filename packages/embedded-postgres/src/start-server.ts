import { once } from 'node:events';
import {
  chown,
  type FileHandle,
  open,
  readFile,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { findServer, type FoundServer, removeForeignPidFile } from './find-server.ts';
import { clusterOf, logOf } from './postgres-home.ts';
import { launchServer, type PostgresTools } from './run-postgres.ts';
import { type ServerNetwork, serverSettings } from './server-settings.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';

/** The size of the log, in bytes, above which a start truncates it. */
const LOG_LIMIT = 1024 * 1024;

const POLL_MS = 20;

export interface ServerStart {
  /** Without a network address, the server listens only on its socket. */
  readonly network?: ServerNetwork | undefined;
  /** The folder of the former server's socket, for a server that must be reachable at the same place. */
  readonly socketFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How long to wait while processes of a killed server still hold the cluster's shared memory, in ms. */
const SHUTDOWN_WAIT_MS = 10_000;

/**
 * Starts the server of a cluster whose server is not running.
 *
 * @throws StartError with the reason from the server's log
 */
export async function startServer(
  tools: PostgresTools,
  { network, socketFolder: former, signal }: ServerStart = {},
): Promise<FoundServer> {
  await removeForeignPidFile(tools.location);
  const socketFolder = await makeSocketFolder(tools, former);
  try {
    await writeSettings(tools, serverSettings(socketFolder, network));
    await boundLog(tools.location);
    await launch(tools, signal);
  } catch (error) {
    if (former === undefined) await removeSocketFolder(socketFolder, tools.location);
    throw error;
  }
  const server = await findServer(tools.location);
  if (server === undefined) throw startFailed(tools.location, 'it exited immediately');
  return server;
}

async function launch(tools: PostgresTools, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + SHUTDOWN_WAIT_MS;
  for (;;) {
    const logged = await logSize(tools.location);
    if (await startsUp(tools, signal)) return;
    const log = (await readFile(logOf(tools.location), 'utf8').catch(() => '')).slice(logged);
    // The remaining processes of a killed server need a moment to notice its end.
    const held = log.includes('pre-existing shared memory block');
    if (!held || performance.now() > deadline) {
      throw startFailed(tools.location, lastReason(log) ?? 'it exited immediately');
    }
    await delay(200, undefined, { signal });
  }
}

/**
 * Launches the server; returns false if the server ends before it is ready. There is no time limit, because recovery
 * after a crash may take long.
 */
async function startsUp(tools: PostgresTools, signal: AbortSignal | undefined): Promise<boolean> {
  await using log = await openLog(tools);
  const child = await launchServer(tools, log.fd);
  const ended = once(child, 'exit');
  const quit = (): void => void child.kill('SIGQUIT');
  process.once('exit', quit);
  try {
    while (child.exitCode === null && child.signalCode === null) {
      const server = await findServer(tools.location);
      if (server?.state === 'ready' && server.pid === child.pid) return true;
      await Promise.race([ended, delay(POLL_MS, undefined, { signal })]);
    }
    return false;
  } catch (error) {
    child.kill('SIGINT');
    await ended;
    throw error;
  } finally {
    process.off('exit', quit);
  }
}

async function openLog({ location, account }: PostgresTools): Promise<FileHandle> {
  const log = await open(logOf(location), 'a', 0o600);
  if (account !== undefined) await log.chown(account.uid, account.gid);
  return log;
}

function startFailed(location: string, reason: string): StartError {
  return new StartError(
    `The database in ${clusterOf(location)} failed to start: ${reason} (its log is ${logOf(location)}). If it is damaged, restore a backup.`,
  );
}

/** The text of the last log line with an error, without its time. */
function lastReason(log: string): string | undefined {
  const line = log.split('\n').findLast((each) => /\b(PANIC|FATAL|ERROR): /.test(each));
  return line?.replace(/^.*?(?:PANIC|FATAL|ERROR): +/, '');
}

async function writeSettings(tools: PostgresTools, settings: string): Promise<void> {
  const file = join(clusterOf(tools.location), 'postgresql.conf');
  await writeFile(file, settings, { mode: 0o600 });
  if (tools.account !== undefined) await chown(file, tools.account.uid, tools.account.gid);
}

async function boundLog(location: string): Promise<void> {
  if ((await logSize(location)) > LOG_LIMIT) await truncate(logOf(location));
}

async function logSize(location: string): Promise<number> {
  return stat(logOf(location)).then(
    ({ size }) => size,
    () => 0,
  );
}
