import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDatabase } from '@sightline/embedded-postgres/remove-database';
import { writeToyPacks } from '../fixtures/toy-packs.ts';
import { toyPacksFolder } from '../fixtures/toy-packs-folder.ts';
import { dropDatabases, outsideServer, SERVER_FOLDER } from '../servers/test-server.ts';
import { runFolder } from './once-in-run.ts';
import { isAlive, RUN_PREFIX, runnerOf } from './run-owner.ts';

/** The files of shared platforms in the folder of a run. */
const PLATFORM = /^platform\b/;
const LINK_SERVERS = resolve(import.meta.dirname, '../../../scripts/link-servers');

/**
 * Creates the folder of a run of tests. It holds the database and the services that the run shares, which the
 * first test that needs them starts, and a cache of compiled code.
 */
export async function startTestRun(): Promise<void> {
  // Links the programs of the servers first, because suites check for them when they are loaded.
  execFileSync(LINK_SERVERS, { stdio: 'inherit' });
  await endKilledRuns();
  const folder = await mkdtemp(join(tmpdir(), `${RUN_PREFIX}${process.pid}-`));
  // If root starts Postgres, the server runs under another account, which must enter this folder.
  await chmod(folder, 0o711);
  process.env.SIGHTLINE_TEST_RUN = folder;
  // Without a cache, each of hundreds of processes would compile the same sources.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  await writeToyPacks(toyPacksFolder());
}

/** Stops the servers that tests of the run have started, and removes the run's folder. */
export async function endTestRun(): Promise<void> {
  const folder = runFolder();
  await endServices(folder);
  const outside = outsideServer();
  if (outside !== undefined) await dropDatabases(outside);
  await removeRun(folder);
}

/** Stops the database servers of runs that were killed. Their services stop by themselves. */
async function endKilledRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(RUN_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const { uid } = await stat(folder).catch(() => ({ uid: undefined }));
    const isOurs = uid === process.getuid?.();
    // Another run may be removing the folder at the same time.
    if (isOurs && !isAlive(runnerOf(folder))) await removeRun(folder).catch(() => undefined);
  }
}

/**
 * Stops the platforms that suites share, whose processes take a tenth of two cores while no suite uses them. A suite that
 * needs one afterwards starts it again.
 */
export async function endPlatforms(): Promise<void> {
  const folder = runFolder();
  await endServices(folder, PLATFORM);
  const names = (await readdir(folder)).filter((name) => PLATFORM.test(name));
  for (const name of names) await rm(join(folder, name), { recursive: true });
}

/** Stops the hosts of shared services, and waits until they have stopped. */
async function endServices(folder: string, which = /^/): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pid') && which.test(name));
  const pids = await Promise.all(
    names.map(async (name) => Number(await readFile(join(folder, name), 'utf8'))),
  );
  const running = pids.filter(isAlive);
  for (const pid of running) process.kill(pid, 'SIGTERM');
  while (running.some(isAlive)) await delay(50);
}

async function removeRun(folder: string): Promise<void> {
  await removeDatabase(join(folder, SERVER_FOLDER));
  await removeDatabase(join(folder, 'data/postgres'));
  // A process that is ending may still write to the cache of compiled code, so the removal is retried.
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}
