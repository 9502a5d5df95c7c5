import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import pg from 'pg';

/** A database and a role that may do everything in its cluster. */
export interface TestConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/** Within the folder of the run. */
export const SERVER_FOLDER = 'postgres';

/** The server that `SIGHTLINE_TEST_DATABASE_URL` names, if it is set. */
export function outsideServer(): TestConnection | undefined {
  const url = process.env.SIGHTLINE_TEST_DATABASE_URL;
  if (url === undefined || url === '') return undefined;
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: port === '' ? 5432 : Number(port),
    user: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    database: pathname === '' || pathname === '/' ? 'postgres' : pathname.slice(1),
  };
}

/** What the names of the run's databases begin with. */
export function runPrefix(): string {
  return `${basename(runFolder())}-`;
}

function runFolder(): string {
  const folder = process.env.SIGHTLINE_TEST_RUN;
  if (folder === undefined) throw new Error('Databases are for tests that jest runs.');
  return folder;
}

/** The server of the run, started by whichever test file is the first to ask. */
export async function testServer(): Promise<TestConnection> {
  const outside = outsideServer();
  if (outside !== undefined) return outside;
  const folder = runFolder();
  const starting = join(folder, 'starting');
  for (;;) {
    const started = await readServer(folder);
    if (started !== undefined) return started;
    if (await takes(starting)) break;
    // However long another test file takes to start it: the time limit of the test is the only one.
    await delay(20);
  }
  try {
    return await startServer(folder);
  } catch (error) {
    // The next one who asks tries it.
    await rmdir(starting);
    throw error;
  }
}

/** Whether nobody else has it. */
async function takes(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readServer(folder: string): Promise<TestConnection | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'server.json'), 'utf8')) as TestConnection;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function startServer(folder: string): Promise<TestConnection> {
  const server = { folder: join(folder, SERVER_FOLDER) };
  const fresh = await EmbeddedPostgres.open(server);
  await withClient(fresh.connection, async (client) => {
    // Nobody needs these databases after a crash, and every worker of jest has pools.
    await client.query('ALTER SYSTEM SET fsync = off');
    await client.query('ALTER SYSTEM SET max_connections = 400');
  });
  await fresh[Symbol.asyncDispose]();
  // It outlives this process, which may be a worker of jest; the end of the run stops it.
  const { connection } = await EmbeddedPostgres.open(server);
  await writeFile(join(folder, 'server.json.new'), JSON.stringify(connection));
  await rename(join(folder, 'server.json.new'), join(folder, 'server.json'));
  return connection;
}

/** Drops what an outside server has of the run. */
export async function dropDatabases(server: TestConnection): Promise<void> {
  await withClient(server, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [runPrefix()],
    );
    for (const { name } of rows) await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  });
}

export async function withClient<T>(
  connection: TestConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
