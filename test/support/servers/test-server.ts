import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { freePort } from '@sightline/dev-platform/free-port';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { onceInRun, runFolder } from '../jest/once-in-run.ts';

export interface TestConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/** The server's folder, relative to the folder of the run. */
export const SERVER_FOLDER = 'postgres';

/** The server that `SIGHTLINE_TEST_DATABASE_URL` names; undefined if the variable is not set. */
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

/** The prefix of the names of the run's databases. */
export function runPrefix(): string {
  return `${basename(runFolder())}-`;
}

/** Returns the server of the run. The first test file that needs the server starts it. */
export async function testServer(): Promise<TestConnection> {
  return outsideServer() ?? (await runServer()).socket;
}

/**
 * Returns the server like {@link testServer}, for processes that connect by address and password.
 */
export async function testServerOnNetwork(): Promise<TestConnection> {
  return outsideServer() ?? (await runServer()).network;
}

interface RunServer {
  readonly socket: TestConnection;
  readonly network: TestConnection;
}

function runServer(): Promise<RunServer> {
  return onceInRun('server', () => startServer(join(runFolder(), SERVER_FOLDER)));
}

async function startServer(folder: string): Promise<RunServer> {
  const network = {
    host: '127.0.0.1',
    port: await freePort(),
    password: randomBytes(12).toString('hex'),
  };
  const server = { folder, network };
  const fresh = await EmbeddedPostgres.open(server);
  await withClient(fresh.connection, async (client) => {
    // The databases exist only during the run, so crash safety is not needed. Every worker of jest
    // has pools, which need many connections.
    await client.query('ALTER SYSTEM SET fsync = off');
    await client.query('ALTER SYSTEM SET full_page_writes = off');
    await client.query('ALTER SYSTEM SET max_connections = 400');
  });
  await fresh[Symbol.asyncDispose]();
  // The server outlives this process, which may be a worker of jest. The end of the run stops the
  // server.
  const { connection: socket } = await EmbeddedPostgres.open(server);
  const { user, database } = socket;
  return { socket, network: { ...network, user, database } };
}

/** Drops the run's databases on an external server. */
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
