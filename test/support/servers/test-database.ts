import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { runPrefix, type TestConnection, testServer, withClient } from './test-server.ts';

/** A database that belongs to one test. Disposal drops it and ends its connections. */
export interface TestDatabase extends AsyncDisposable {
  readonly connection: TestConnection;
}

/** A database that is prepared once in a run and copied for each test. */
export interface TestTemplate {
  /** The name identifies the template within a run: letters, digits and dashes, at most 20. */
  readonly name: string;
  /** Fills the empty database. It must close all connections before it settles. */
  prepare(connection: TestConnection): Promise<void>;
}

/**
 * The key of the advisory lock under which a run prepares one template at a time. The number is
 * arbitrary.
 */
const PREPARATION_LOCK = 7_446_115;

/** Creates a database, which is empty or a copy of the template. */
export async function createTestDatabase(
  options: { readonly template?: TestTemplate } = {},
): Promise<TestDatabase> {
  const server = await testServer();
  const database = `${runPrefix()}${randomUUID().slice(0, 18)}`;
  await withClient(server, async (client) => {
    const source = options.template && (await ensureTemplate(client, server, options.template));
    await client.query(
      `CREATE DATABASE "${database}"${source === undefined ? '' : ` TEMPLATE "${source}"`}`,
    );
  });
  return {
    connection: { ...server, database },
    [Symbol.asyncDispose]: () =>
      withClient(server, async (client) => {
        await client.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      }),
  };
}

async function ensureTemplate(
  client: pg.Client,
  server: TestConnection,
  template: TestTemplate,
): Promise<string> {
  const name = `${runPrefix()}${template.name}`;
  if (await exists(client, name)) return name;
  await client.query('SELECT pg_advisory_lock($1)', [PREPARATION_LOCK]);
  try {
    if (await exists(client, name)) return name;
    const half = `${name}-half`;
    await client.query(`DROP DATABASE IF EXISTS "${half}" WITH (FORCE)`);
    await client.query(`CREATE DATABASE "${half}"`);
    await template.prepare({ ...server, database: half });
    await client.query(`ALTER DATABASE "${half}" RENAME TO "${name}"`);
    return name;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [PREPARATION_LOCK]);
  }
}

async function exists(client: pg.Client, database: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
    database,
  ]);
  return rowCount === 1;
}
