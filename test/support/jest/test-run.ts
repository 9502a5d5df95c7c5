import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase } from '@sightline/embedded-postgres/remove-database';
import { dropDatabases, outsideServer, SERVER_FOLDER } from '../servers/test-server.ts';

const PREFIX = 'sightline-tests-';

/**
 * Gives a run of tests a folder of its own, in which the first test that wants a database starts
 * the run's server, and its processes find what others have compiled.
 */
export async function startTestRun(): Promise<void> {
  await endKilledRuns();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As root the server has another account, which has to get through.
  await chmod(folder, 0o711);
  process.env.SIGHTLINE_TEST_RUN = folder;
  // Hundreds of processes are started from the same sources, which each would compile anew.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
}

/** Ends what the tests of the run have started, and removes its folder. */
export async function endTestRun(): Promise<void> {
  const folder = process.env.SIGHTLINE_TEST_RUN;
  if (folder === undefined) throw new Error('No run of tests was started.');
  const outside = outsideServer();
  if (outside !== undefined) await dropDatabases(outside);
  await removeRun(folder);
}

/** A run that was killed has left its server behind. */
async function endKilledRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const { uid } = await stat(folder).catch(() => ({ uid: undefined }));
    const pid = Number.parseInt(name.slice(PREFIX.length));
    // Another run may be removing it at this moment.
    if (uid === process.getuid?.() && !isAlive(pid)) await removeRun(folder).catch(() => undefined);
  }
}

async function removeRun(folder: string): Promise<void> {
  await removeDatabase(join(folder, SERVER_FOLDER));
  // A process that is just ending may still write what it has compiled.
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
