import { chown, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { findServer, type FoundServer, removeForeignPidFile } from './find-server.ts';
import { clusterOf, logOf } from './postgres-home.ts';
import { type PostgresTools, runPostgres } from './run-postgres.ts';
import { type ServerNetwork, serverSettings } from './server-settings.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';

/** After this many bytes the log begins anew. */
const LOG_LIMIT = 1024 * 1024;

/** Recovery after a crash takes as long as it takes; nobody is helped by a start that gives up. */
const START_SECONDS = '86400';

export interface ServerStart {
  /** Absent: it listens at its socket alone. */
  readonly network?: ServerNetwork | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How long what is left of a server that was killed may hold the cluster's memory. */
const REMAINS_MS = 10_000;

/**
 * Starts the server of a cluster on which none runs.
 *
 * @throws StartError with the reason that the server gives
 */
export async function startServer(
  tools: PostgresTools,
  { network, signal }: ServerStart = {},
): Promise<FoundServer> {
  await removeForeignPidFile(tools.place);
  const socketFolder = await makeSocketFolder(tools);
  try {
    await writeSettings(tools, serverSettings(socketFolder, network));
    await boundLog(tools.place);
    await launch(tools, signal);
  } catch (error) {
    await removeSocketFolder(socketFolder, tools.place);
    throw error;
  }
  const server = await findServer(tools.place);
  if (server === undefined) throw cannotStart(tools.place, 'it ended at once');
  return server;
}

async function launch(tools: PostgresTools, signal: AbortSignal | undefined): Promise<void> {
  const giveUpAt = Date.now() + REMAINS_MS;
  for (;;) {
    const logged = await logSize(tools.place);
    const { code, output } = await runPostgres(
      tools,
      ['pg_ctl', 'start', '-s', '-w', '-t', START_SECONDS, '-D', 'cluster', '-l', 'server.log'],
      { signal },
    );
    if (code === 0) return;
    const log = (await readFile(logOf(tools.place), 'utf8').catch(() => '')).slice(logged);
    // The processes of a server that was killed need a moment to notice.
    const held = log.includes('pre-existing shared memory block');
    if (!held || Date.now() > giveUpAt) throw cannotStart(tools.place, lastReason(log) ?? output);
    await delay(200, undefined, { signal });
  }
}

function cannotStart(place: string, reason: string): StartError {
  return new StartError(
    `The database in ${clusterOf(place)} does not start: ${reason} (the log is ${logOf(place)}). If it is damaged, restore a backup.`,
  );
}

/** The last line of a log that says why, without its time. */
function lastReason(log: string): string | undefined {
  const line = log.split('\n').findLast((each) => /\b(PANIC|FATAL|ERROR): /.test(each));
  return line?.replace(/^.*?(?:PANIC|FATAL|ERROR): +/, '');
}

async function writeSettings(tools: PostgresTools, settings: string): Promise<void> {
  const file = join(clusterOf(tools.place), 'postgresql.conf');
  await writeFile(file, settings, { mode: 0o600 });
  if (tools.account !== undefined) await chown(file, tools.account.uid, tools.account.gid);
}

async function boundLog(place: string): Promise<void> {
  if ((await logSize(place)) > LOG_LIMIT) await truncate(logOf(place));
}

async function logSize(place: string): Promise<number> {
  return stat(logOf(place)).then(
    ({ size }) => size,
    () => 0,
  );
}
