import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import {
  describeAsNobody,
  describeAsRoot,
  NOBODY,
} from '@sightline/test/support/gates/describe-as-root';
import { createLogger } from '@sightline/platform/logging/logger';
import { withClient } from '@sightline/test/support/servers/test-server';
import { findBinaries } from './binaries.ts';
import { type EmbeddedConnection, EmbeddedPostgres } from './embedded-postgres.ts';
import { findServer } from './find-server.ts';
import { clusterOf, locationFile, locationOf } from './postgres-home.ts';
import { stopServer } from './stop-server.ts';

const SCRIPT = join(import.meta.dirname, 'fixtures/hold-postgres.ts');

/** A database that is created once. Tests copy it, because that is faster than creating one. */
let pristine: string;
let parent: string;
let folder: string;
let children: ChildProcess[];

beforeAll(async () => {
  const path = join(await temporaryFolder(), 'postgres');
  await using postgres = await EmbeddedPostgres.open({ folder: path });
  // fsync is turned off to make the tests faster. Without it, only a crash of the machine would lose data.
  await ask(postgres.connection, 'ALTER SYSTEM SET fsync = off');
  // Autovacuum would write and delete files while a test copies them.
  await ask(postgres.connection, 'ALTER SYSTEM SET autovacuum = off');
  pristine = clusterOf(path);
});

afterAll(() => rm(dirname(dirname(pristine)), { recursive: true }));

beforeEach(async () => {
  parent = await temporaryFolder();
  folder = join(parent, 'postgres');
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await removeServer();
  await rm(parent, { recursive: true });
});

async function removeServer(): Promise<void> {
  const location = await locationOf(folder);
  await stopServer(location);
  await rm(location, { recursive: true, force: true });
}

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'embedded-'));
  await chmod(path, 0o711);
  return path;
}

async function copyPristine(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copy(pristine, clusterOf(folder));
}

/** Copies files with their owners. `cp` copies a thousand files faster than Node does. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

async function open(): Promise<EmbeddedPostgres> {
  return EmbeddedPostgres.open({ folder });
}

async function refusal(): Promise<string> {
  try {
    await (await open())[Symbol.asyncDispose]();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'opened';
}

async function ask(connection: EmbeddedConnection, sql: string): Promise<unknown[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.flat();
  });
}

interface Held {
  readonly connection: EmbeddedConnection;
  readonly location: string;
  readonly adopted: boolean;
  readonly refusal?: string;
}

/** Opens the database in another process, and returns what that process printed. */
async function another(account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [SCRIPT, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, held: JSON.parse(line.toString()) as Held };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/**
 * Kills the server of the folder and waits until its process has ended, because the server accepts connections until
 * then.
 */
async function killServer(): Promise<void> {
  process.kill((await findServer(folder))!.pid, 'SIGKILL');
  while ((await findServer(folder)) !== undefined) await delay(5);
}

describe('a first start', () => {
  test('creates the database with the required settings, accessible only to its owner', async () => {
    await using postgres = await open();
    expect(postgres).toMatchObject({ location: folder, adopted: false });
    const { connection } = postgres;
    expect(connection).toMatchObject({ user: 'sightline_owner', database: 'sightline' });
    expect(
      await ask(
        connection,
        `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, datcollate
           FROM pg_database WHERE datname = 'sightline'`,
      ),
    ).toEqual(['UTF8', 'b', 'C.UTF-8', 'C']);
    expect(await ask(connection, 'SHOW listen_addresses')).toEqual(['']);
    expect(await ask(connection, 'SHOW fsync')).toEqual(['on']);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('is repeated after a kill', async () => {
    while (!(await killHalfway())) await removeServer();
    await using postgres = await open();
    expect(await ask(postgres.connection, 'SELECT 1')).toEqual([1]);
    expect((await readdir(folder)).filter((name) => name.startsWith('cluster.'))).toEqual([]);
  });

  /** Kills the process that creates the cluster. Returns false if the cluster was already complete. */
  async function killHalfway(): Promise<boolean> {
    const child = spawn(process.execPath, [SCRIPT, folder], { stdio: 'ignore' });
    children.push(child);
    while (!(await isComplete()) && !(await isIncomplete())) await delay(5);
    await kill(child);
    return !(await isComplete());
  }

  async function isIncomplete(): Promise<boolean> {
    const names = await readdir(folder).catch(() => []);
    const incomplete = names.find((name) => name.startsWith('cluster.new-'));
    if (incomplete === undefined) return false;
    return (await readdir(join(folder, incomplete)).catch((): string[] => [])).includes('base');
  }

  async function isComplete(): Promise<boolean> {
    return (await stat(clusterOf(folder)).catch(() => null)) !== null;
  }

  test('leaves no server running after an abort', async () => {
    await copyPristine();
    const stop = new AbortController();
    const opening = EmbeddedPostgres.open({ folder, signal: stop.signal });
    while ((await findServer(folder)) === undefined) await delay(1);
    stop.abort();
    const opened = await opening.catch((error: unknown) => (error as Error).name);
    // The start may have completed just before the abort.
    if (opened instanceof EmbeddedPostgres) await opened[Symbol.asyncDispose]();
    else expect(opened).toBe('AbortError');
    while ((await findServer(folder)) !== undefined) await delay(5);
  });
});

describe('a clone and a data folder whose names contain shell commands', () => {
  const NAME = 'a "b" $(touch pwned) `touch pwned` \\ c';

  test('start without running the commands', async () => {
    const installed = await findBinaries();
    const root = join(parent, NAME, 'native');
    await mkdir(dirname(root));
    await copy(installed.root, root);
    folder = join(parent, NAME, 'data');
    const binaries = { ...installed, root };
    for (const start of ['the first', 'another']) {
      await using postgres = await EmbeddedPostgres.open({ folder, binaries });
      expect(await ask(postgres.connection, 'SELECT $$' + start + '$$')).toEqual([start]);
    }
    const names = await readdir(parent, { recursive: true });
    expect(names.filter((name) => basename(name) === 'pwned')).toEqual([]);
  });
});

describe('committed data survives', () => {
  async function remember(connection: EmbeddedConnection): Promise<void> {
    await ask(connection, 'CREATE TABLE memory AS SELECT 42 AS answer');
  }

  async function expectRemembered(adopted: boolean): Promise<void> {
    await using postgres = await open();
    expect(await ask(postgres.connection, 'SELECT answer FROM memory')).toEqual([42]);
    expect(postgres.adopted).toBe(adopted);
  }

  beforeEach(() => copyPristine());

  test('after a stop', async () => {
    {
      await using postgres = await open();
      await remember(postgres.connection);
    }
    expect(await findServer(folder)).toBeUndefined();
    await expectRemembered(false);
  });

  test('a killed owner, whose server is adopted and stopped', async () => {
    const { child, held } = await another();
    await remember(held.connection);
    await kill(child);
    await expectRemembered(true);
    expect(await findServer(folder)).toBeUndefined();
  });

  test('an owner that exits without a stop, and takes its server with it', async () => {
    const { child, held } = await another();
    await remember(held.connection);
    child.kill('SIGUSR2');
    await once(child, 'exit');
    while ((await findServer(folder)) !== undefined) await delay(5);
    await expectRemembered(false);
  });

  test('a killed server', async () => {
    await using killed = await open();
    await remember(killed.connection);
    await killServer();
    await expectRemembered(false);
  });

  test("a kill of both when another process has the server's pid", async () => {
    const { child, held } = await another();
    await remember(held.connection);
    const pidFile = join(clusterOf(folder), 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await kill(child);
    await killServer();
    const unrelated = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.push(unrelated);
    await writeFile(pidFile, text.replace(/^\d+/, String(unrelated.pid)));
    await expectRemembered(false);
    expect(unrelated.exitCode).toBeNull();
  });

  test('a move of the folder while the server runs', async () => {
    const { child, held } = await another();
    await remember(held.connection);
    await kill(child);
    await rename(folder, `${folder}-moved`);
    folder += '-moved';
    const { socketFolder } = (await findServer(folder))!;
    expect(socketFolder).toBe(held.connection.host);
    await stopServer(folder);
    await expectRemembered(false);
  });

  test("a copied folder, which does not adopt the original's server", async () => {
    await using original = await open();
    await remember(original.connection);
    const copied = `${folder}-copy`;
    await mkdir(copied);
    await copy(clusterOf(folder), clusterOf(copied));
    {
      await using postgres = await EmbeddedPostgres.open({ folder: copied });
      expect(postgres.adopted).toBe(false);
      expect(postgres.connection.host).not.toBe(original.connection.host);
    }
    expect(await ask(original.connection, 'SELECT answer FROM memory')).toEqual([42]);
  });
});

describe('a server that ends while its owner runs', () => {
  const keep = () => EmbeddedPostgres.open({ folder, keepsRunning: true });

  async function answers(connection: EmbeddedConnection): Promise<void> {
    for (;;) {
      const answer = await ask(connection, 'SELECT 1').catch(() => null);
      if (answer !== null) return;
      await delay(20);
    }
  }

  /** Waits until the server, which has an open session and no keeper, has noticed the signal. */
  async function beginStop(): Promise<void> {
    process.kill((await findServer(folder))!.pid, 'SIGTERM');
    while ((await findServer(folder))?.state !== 'stopping') await delay(5);
  }

  beforeEach(() => copyPristine());

  test('is started again, also if it was adopted, each time', async () => {
    const { child } = await another();
    await kill(child);
    {
      await using postgres = await keep();
      expect(postgres.adopted).toBe(true);
      for (let kills = 0; kills < 2; kills++) {
        await killServer();
        await answers(postgres.connection);
      }
    }
    expect(await findServer(folder)).toBeUndefined();
  });

  test('is started again if its parent never asks for its exit status', async () => {
    const { child } = await another();
    child.kill('SIGSTOP');
    {
      await using postgres = await keep();
      await killServer();
      await answers(postgres.connection);
    }
    await kill(child);
  });

  test('is started again with the same socket if its path is too long for the location', async () => {
    folder = join(parent, 'a-long-name-of-a-folder/'.repeat(6), 'postgres');
    await mkdir(dirname(folder), { recursive: true });
    for (let above = dirname(folder); above !== parent; above = dirname(above)) {
      await chmod(above, 0o711);
    }
    await copyPristine();
    const postgres = await keep();
    const { host } = postgres.connection;
    expect(dirname(host)).toBe(tmpdir());
    await killServer();
    await answers(postgres.connection);
    await postgres[Symbol.asyncDispose]();
    await expect(stat(host)).rejects.toThrow('ENOENT');
  });

  test('is ended and started again if it gets a SIGTERM and waits for a session', async () => {
    await using postgres = await keep();
    const { pid } = (await findServer(folder))!;
    await withClient(postgres.connection, async (client) => {
      client.on('error', () => undefined);
      process.kill(pid, 'SIGTERM');
      while ((await findServer(folder))?.pid === pid) await delay(5);
      await answers(postgres.connection);
      await expect(client.query('SELECT 1')).rejects.toThrow();
    });
    expect(await findServer(folder)).toMatchObject({ state: 'ready' });
    expect((await findServer(folder))!.pid).not.toBe(pid);
  });

  test('serves its sessions to the end if it gets a SIGTERM together with its owner', async () => {
    const stop = new AbortController();
    const { signal } = stop;
    await using postgres = await EmbeddedPostgres.open({ folder, keepsRunning: true, signal });
    await withClient(postgres.connection, async (client) => {
      stop.abort();
      await beginStop();
      await delay(600);
      expect((await client.query('SELECT 1')).rows).toHaveLength(1);
    });
  });

  test('is ended if it is stopping when a process adopts it', async () => {
    const { child, held } = await another();
    await withClient(held.connection, async (client) => {
      client.on('error', () => undefined);
      await beginStop();
      await kill(child);
      await using postgres = await open();
      expect(postgres.adopted).toBe(false);
      expect(await ask(postgres.connection, 'SELECT 1')).toEqual([1]);
    });
  });

  test('is not started again during a stop', async () => {
    const postgres = await keep();
    await killServer();
    await postgres[Symbol.asyncDispose]();
    await delay(600);
    expect(await findServer(folder)).toBeUndefined();
  });

  test('is started again once the reason for a failed start is gone', async () => {
    const messages: string[] = [];
    const logger = createLogger({
      level: 'info',
      destination: {
        write: (line) => void messages.push((JSON.parse(line) as { msg: string }).msg),
      },
    });
    await using postgres = await EmbeddedPostgres.open({ folder, keepsRunning: true, logger });
    const control = join(clusterOf(folder), 'global/pg_control');
    await rename(control, `${control}.away`);
    await killServer();
    while (messages.length < 2) await delay(20);
    await rename(`${control}.away`, control);
    await answers(postgres.connection);
    while (messages.length < 3) await delay(20);
    expect(messages).toEqual([
      'the database server has ended unexpectedly and is started again',
      'the database server cannot be started again',
      'the database server was started again',
    ]);
  });
});

describe('the socket', () => {
  test.each(['it\'s "50 %", $HOME `and` more', 'Fotos, Müller & Söhne'])(
    'has a folder under %s',
    async (name) => {
      folder = join(parent, name);
      await copyPristine();
      await using postgres = await open();
      expect(postgres.connection.host).toBe(join(folder, 'socket'));
      expect(await ask(postgres.connection, 'SELECT 1')).toEqual([1]);
    },
  );

  test('is in another folder while the server runs if its path would be too long', async () => {
    folder = join(parent, 'a-long-name-of-a-folder/'.repeat(6), 'postgres');
    await mkdir(dirname(folder), { recursive: true });
    for (let above = dirname(folder); above !== parent; above = dirname(above)) {
      await chmod(above, 0o711);
    }
    await copyPristine();
    const postgres = await open();
    const { host } = postgres.connection;
    expect(dirname(host)).toBe(tmpdir());
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    expect(await ask(postgres.connection, 'SELECT 1')).toEqual([1]);
    await postgres[Symbol.asyncDispose]();
    await expect(stat(host)).rejects.toThrow('ENOENT');
  });
});

describe('attach', () => {
  test('uses the server of another process and leaves it running', async () => {
    await copyPristine();
    const { held } = await another();
    {
      await using postgres = await EmbeddedPostgres.attach({ folder });
      expect(postgres.connection).toEqual(held.connection);
    }
    expect(await ask(held.connection, 'SELECT 1')).toEqual([1]);
  });

  test('waits until the server is running', async () => {
    await copyPristine();
    const attaching = EmbeddedPostgres.attach({ folder });
    await using owned = await open();
    expect((await attaching).connection).toEqual(owned.connection);
  });

  test('ends when aborted', async () => {
    const attaching = EmbeddedPostgres.attach({ folder, signal: AbortSignal.timeout(150) });
    await expect(attaching).rejects.toThrow('aborted');
  });
});

describe('an unusable database ends the start with a clear message', () => {
  test('created by another Postgres version', async () => {
    await mkdir(clusterOf(folder), { recursive: true });
    await writeFile(join(clusterOf(folder), 'PG_VERSION'), '17\n');
    expect(await refusal()).toMatch(
      /^StartError: The database in .*cluster was created by Postgres 17, but this Sightline runs Postgres 18/,
    );
  });

  test('without its version file', async () => {
    await mkdir(join(clusterOf(folder), 'base'), { recursive: true });
    expect(await refusal()).toMatch(/^StartError: The database in .* is damaged: its file PG_VER/);
  });

  test("damaged, with the server's reason", async () => {
    await copyPristine();
    await writeFile(join(clusterOf(folder), 'global/pg_control'), 'nothing');
    expect(await refusal()).toMatch(
      /^StartError: The database in .* failed to start: .*pg_control.*server\.log\)\. If it is damaged, restore a backup\.$/,
    );
  });

  test('in a folder that cannot be created', async () => {
    await writeFile(join(parent, 'file'), '');
    folder = join(parent, 'file/postgres');
    expect(await refusal()).toMatch(/^StartError: Cannot prepare the database in .*: ENOTDIR/);
    folder = join(parent, 'postgres');
  });
});

test('truncates the log when it is too large', async () => {
  await copyPristine();
  await writeFile(join(folder, 'server.log'), 'x'.repeat(2 * 1024 * 1024), { mode: 0o600 });
  await using postgres = await open();
  expect((await stat(join(postgres.location, 'server.log'))).size).toBeLessThan(10_000);
});

describeAsRoot('as root', () => {
  /** Creates a folder that the account of root's server cannot enter. */
  async function closedFolder(): Promise<void> {
    await chmod(parent, 0o700);
    await mkdir(folder);
  }

  test("the server has its own account, which becomes the owner of root's database", async () => {
    await mkdir(folder);
    await cp(pristine, clusterOf(folder), { recursive: true });
    expect((await stat(clusterOf(folder))).uid).toBe(0);
    await using postgres = await open();
    const { uid } = await stat(clusterOf(folder));
    expect(uid).not.toBe(0);
    expect((await stat(`/proc/${(await findServer(folder))!.pid}`)).uid).toBe(uid);
    expect(await ask(postgres.connection, 'SELECT 1')).toEqual([1]);
  });

  test('an unreachable folder records the external location of its database', async () => {
    await closedFolder();
    for (const expected of [[], ['memory']]) {
      await using postgres = await open();
      expect(postgres.location).toMatch(/^\/var\/lib\/sightline\/[0-9a-f]{16}$/);
      expect(await readFile(locationFile(folder), 'utf8')).toBe(`${postgres.location}\n`);
      const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
      expect(await ask(postgres.connection, tables)).toEqual(expected);
      await ask(postgres.connection, 'CREATE TABLE IF NOT EXISTS memory ()');
    }
  });

  test('a clone that only root can enter lends its binaries', async () => {
    const installed = await findBinaries();
    const clone = join(parent, 'clone');
    await mkdir(clone, { mode: 0o700 });
    await copy(installed.root, join(clone, 'native'));
    folder = join(clone, 'data');
    const binaries = { ...installed, root: join(clone, 'native') };
    await using postgres = await EmbeddedPostgres.open({ folder, binaries });
    expect(await ask(postgres.connection, 'SELECT 1')).toEqual([1]);
    expect(postgres.location).toMatch(/^\/var\/lib\/sightline\//);
    expect((await readdir(postgres.location)).filter((name) => name.includes('binaries'))).toEqual(
      [],
    );
  });

  test('moves a database whose folder becomes unreachable, after stopping its server', async () => {
    await copyPristine();
    const { child, held } = await another();
    await ask(held.connection, 'CREATE TABLE memory ()');
    await kill(child);
    await chmod(parent, 0o700);
    await using postgres = await open();
    expect(postgres).toMatchObject({ adopted: false, location: await locationOf(folder) });
    expect(postgres.location).not.toBe(folder);
    expect(await ask(postgres.connection, 'SELECT * FROM memory')).toEqual([]);
    await expect(stat(clusterOf(folder))).rejects.toThrow('ENOENT');
  });

  test('a copied folder does not share the database, a moved one keeps it', async () => {
    await closedFolder();
    await (await open())[Symbol.asyncDispose]();
    const original = folder;
    folder = `${original}-2`;
    await copy(original, folder);
    expect(await refusal()).toMatch(/^StartError: .*-2 is a copy of /);
    await rm(original, { recursive: true });
    expect(await refusal()).toBe('opened');
  });

  test('reports a missing external database', async () => {
    await closedFolder();
    await (await open())[Symbol.asyncDispose]();
    await rm(await locationOf(folder), { recursive: true });
    expect(await refusal()).toMatch(
      /^StartError: The database of .* should be in .* missing: restore a backup/,
    );
    await rm(locationFile(folder));
  });

  test('starts with an empty database in a folder that was deleted and created again', async () => {
    await closedFolder();
    const first = await open();
    await ask(first.connection, 'CREATE TABLE memory ()');
    await rm(folder, { recursive: true });
    await using second = await open();
    expect(second.location).toBe(first.location);
    await expect(ask(second.connection, 'SELECT * FROM memory')).rejects.toThrow('does not exist');

    const externalRoot = dirname(second.location);
    const left = (await readdir(externalRoot)).filter((name) =>
      name.startsWith(`${basename(second.location)}.left-`),
    );
    expect(left).toHaveLength(1);
    await rm(join(externalRoot, left[0]!), { recursive: true });
  });
});

describeAsNobody('without root', () => {
  test('runs under a normal account without root', async () => {
    await mkdir(folder);
    await chown(folder, NOBODY.uid, NOBODY.gid);
    const { child, held } = await another(NOBODY);
    expect(held.refusal).toBeUndefined();
    expect((await stat(`/proc/${(await findServer(folder))!.pid}`)).uid).toBe(NOBODY.uid);
    await kill(child);
    // Root takes over the running server of the other account, and does not change the owner of the database.
    await using postgres = await open();
    expect(postgres.adopted).toBe(true);
  });

  test('reports a database that belongs to another account', async () => {
    await copyPristine();
    await (await open())[Symbol.asyncDispose]();
    const { held } = await another(NOBODY);
    expect(held.refusal).toMatch(
      /belongs to another account: start Sightline as that account or as/,
    );
  });
});

describe('a server on the network', () => {
  test('requires the password there, but not on the socket', async () => {
    const network = { host: '127.0.0.1', port: await freePort(), password: 'much-hidden' };
    {
      await using postgres = await EmbeddedPostgres.open({ folder, network });
      const { user, database } = postgres.connection;
      const overNetwork = { host: '127.0.0.1', port: network.port, user, database };
      expect(await ask({ ...overNetwork, password: 'much-hidden' } as never, 'SELECT 1')).toEqual([
        1,
      ]);
      await expect(ask({ ...overNetwork, password: 'wrong' } as never, 'SELECT 1')).rejects.toThrow(
        'password authentication failed',
      );
      expect(await ask(postgres.connection, 'SELECT 2')).toEqual([2]);
      expect(await readdir(postgres.location)).not.toContainEqual(
        expect.stringMatching(/password/),
      );
    }
    await using alone = await EmbeddedPostgres.open({ folder });
    expect(await ask(alone.connection, 'SHOW listen_addresses')).toEqual(['']);
  });

  test('is restarted when its port changes', async () => {
    await copyPristine();
    const [first, second] = [await freePort(), await freePort()];
    const network = { host: '127.0.0.1', password: 'x' };
    await EmbeddedPostgres.open({ folder, network: { ...network, port: first } });
    await using moved = await EmbeddedPostgres.open({
      folder,
      network: { ...network, port: second },
    });
    expect(moved).toMatchObject({ adopted: false, connection: { port: second } });
  });
});
