import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type EmbeddedConnection,
  EmbeddedPostgres,
} from '@sightline/embedded-postgres/embedded-postgres';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { locationOf } from '@sightline/embedded-postgres/postgres-home';
import { stopServer } from '@sightline/embedded-postgres/stop-server';
import { describeAsRoot } from '@sightline/test/support/gates/describe-as-root';
import { withClient } from '@sightline/test/support/servers/test-server';
import { backupDataFolder } from './backup-data-folder.ts';
import { restoreDataFolder } from './restore-data-folder.ts';

const SCRIPT = join(import.meta.dirname, 'fixtures/hold-data.ts');

const VERSION = { product: '1.0.0', postgres: 18 };

let parent: string;
let data: string;
let children: ChildProcess[];
let notes: string[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'backup-'));
  // As root, the tests run the database server under another account, which has to traverse this folder.
  await chmod(parent, 0o711);
  data = join(parent, 'data');
  children = [];
  notes = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await removeDatabase(join(data, 'postgres'));
  await rm(parent, { recursive: true });
});

async function removeDatabase(folder: string): Promise<void> {
  const place = await locationOf(folder).catch(() => folder);
  await stopServer(place);
  await rm(place, { recursive: true, force: true });
}

/** Starts a process that locks the data folder as the service does, and returns a connection to its database. */
async function startService(): Promise<{ service: ChildProcess; connection: EmbeddedConnection }> {
  const service = spawn(process.execPath, [SCRIPT, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(service);
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  return { service, connection: JSON.parse(line.toString()) as EmbeddedConnection };
}

/** Stores the data that a service would store: rows, a picture and a key. */
async function remember(connection: EmbeddedConnection): Promise<void> {
  await withClient(connection, (client) =>
    client.query('CREATE TABLE memory AS SELECT 42 AS answer'),
  );
  await mkdir(join(data, 'media/crops'), { recursive: true });
  await writeFile(join(data, 'media/crops/1.jpg'), 'a picture');
  await writeFile(join(data, 'api-key'), 'a key', { mode: 0o600 });
}

async function expectRemembered(path: string): Promise<string> {
  using folder = await DataFolder.open(path, VERSION);
  await using postgres = await EmbeddedPostgres.open({ folder: folder.postgres });
  const { rows } = await withClient(postgres.connection, (client) =>
    client.query('SELECT answer FROM memory'),
  );
  expect(rows).toEqual([{ answer: 42 }]);
  expect(await readFile(join(folder.media, 'crops/1.jpg'), 'utf8')).toBe('a picture');
  expect(await readFile(folder.apiKey, 'utf8')).toBe('a key');
  expect((await stat(folder.apiKey)).mode & 0o777).toBe(0o600);
  return postgres.location;
}

function backup(to = join(parent, 'backups')): Promise<string> {
  return backupDataFolder({ data, to, version: VERSION, note: (line) => notes.push(line) });
}

function restore(from: string, to = join(parent, 'restored')): Promise<void> {
  return restoreDataFolder({ from, data: to, version: VERSION });
}

/** Creates a Unix socket, because a socket is a file that cannot be copied. */
async function listenAt(path: string): Promise<Server> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  return server;
}

describe('committed data is restored to another folder', () => {
  test('from a running service, which is stopped', async () => {
    const { service, connection } = await startService();
    await remember(connection);
    const [path] = await Promise.all([backup(), once(service, 'exit')]);
    expect(service.exitCode).toBe(0);
    expect(notes).toEqual([
      `Stopping Sightline (process ${service.pid}), which uses ${data}. It is not restarted.`,
    ]);
    expect(path).toMatch(/backups\/sightline-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await readdir(path)).sort()).toEqual(['api-key', 'media', 'postgres', 'version.json']);
    await restore(path);
    await expectRemembered(join(parent, 'restored'));
    await expectRemembered(data);
  });

  test('after kill -9 of the service, while the database server still runs', async () => {
    const { service, connection } = await startService();
    await remember(connection);
    service.kill('SIGKILL');
    await once(service, 'exit');
    await restore(await backup());
    expect(notes).toEqual([]);
    await expectRemembered(join(parent, 'restored'));
  });
});

describeAsRoot('a database that runs for root', () => {
  test('may lie outside the data folder, before or after', async () => {
    data = join(parent, 'closed/data');
    await mkdir(join(parent, 'closed'), { mode: 0o700 });
    const { connection } = await startService();
    await remember(connection);
    expect(await locationOf(join(data, 'postgres'))).toMatch(/^\/var\/lib\/sightline\//);
    const path = await backup();
    await removeDatabase(join(data, 'postgres'));

    const open = join(parent, 'restored');
    await restore(path, open);
    expect(await expectRemembered(open)).toBe(join(open, 'postgres'));

    const closed = join(parent, 'closed/restored');
    await restore(path, closed);
    expect(await expectRemembered(closed)).toMatch(/^\/var\/lib\/sightline\//);
    await removeDatabase(join(closed, 'postgres'));
  });
});

describe('a backup fails with an explanation', () => {
  test('without data, and creates nothing', async () => {
    await expect(backup()).rejects.toThrow(`There is no Sightline data in ${data}.`);
    expect(await readdir(parent)).toEqual([]);
  });

  test('if the target cannot be written, and the service keeps running', async () => {
    const { service } = await startService();
    await expect(backup(join(data, 'backups'))).rejects.toThrow('cannot be put into the data');
    await writeFile(join(parent, 'file'), '');
    await expect(backup(join(parent, 'file'))).rejects.toThrow(
      /^The backup cannot be written to .*: EEXIST/,
    );
    expect(notes).toEqual([]);
    expect(service.exitCode).toBeNull();
  });

  test('if it cannot be completed, and leaves no files', async () => {
    const { connection } = await startService();
    await remember(connection);
    await using server = await listenAt(join(data, 'media/socket'));
    expect(server.listening).toBe(true);
    await expect(backup()).rejects.toThrow(/cannot be written .* is neither a file nor a folder/);
    expect(await readdir(join(parent, 'backups'))).toEqual([]);
  });
});

describe('a restore fails with an explanation', () => {
  let made: string;

  beforeEach(async () => {
    made = join(parent, 'made');
    await mkdir(join(made, 'postgres/cluster'), { recursive: true });
    await writeFile(
      join(made, 'version.json'),
      '{"format": 1, "product": "1.0.0", "postgres": 18}',
    );
  });

  test('to a folder that is not empty', async () => {
    await mkdir(data);
    await writeFile(join(data, 'precious'), '');
    await expect(restore(made, data)).rejects.toThrow(`The folder ${data} is not empty`);
    expect(await readdir(data)).toEqual(['precious']);
  });

  test('from a backup that was interrupted', async () => {
    await rm(join(made, 'version.json'));
    await expect(restore(made)).rejects.toThrow(`${made} is not a complete backup`);
  });

  test('from a folder without a database', async () => {
    await rm(join(made, 'postgres'), { recursive: true });
    await expect(restore(made)).rejects.toThrow(`${made} is not a complete backup`);
  });

  test('from a data folder that may be in use', async () => {
    await writeFile(join(made, 'lock'), '');
    await expect(restore(made)).rejects.toThrow('make a backup of it first');
  });

  test.each([
    ['{"format": 2, "product": "3.0.0", "postgres": 18}', 'in another format (2)'],
    ['{"format": 1, "product": "3.0.0", "postgres": 19}', 'belongs to Postgres 19'],
  ])('from another version: %s', async (version, sentence) => {
    await writeFile(join(made, 'version.json'), version);
    await expect(restore(made)).rejects.toThrow(sentence);
  });

  test('if it cannot be completed, and leaves no files', async () => {
    await using server = await listenAt(join(made, 'media'));
    expect(server.listening).toBe(true);
    await expect(restore(made)).rejects.toThrow(
      /cannot be restored .* is neither a file nor a fol/,
    );
    expect(await readdir(join(parent, 'restored'))).toEqual([]);
  });
});
