import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import pg from 'pg';
import {
  environmentColumn,
  environmentTables,
  fillEveryTable,
} from '../../support/fixtures/every-table.ts';
import { addFaces, openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

/** Only the platform may read these tables. The scoped role has no right to them. */
const CLOSED = [
  'audit',
  'consumer_positions',
  'environment_deletions',
  'invitations',
  'job_turns',
  'keys',
  'members',
];
/** Only the platform has a policy for these tables. */
const WITHOUT_POLICY = ['environment_deletions', 'invitations', 'keys', 'members'];

let database: TestDoors;

beforeAll(async () => {
  database = await openTestDoors();
  // Changes of vectors are recorded only while a reader is registered.
  await database.owner.query(`INSERT INTO index_readers (name) VALUES ('shared')`);
  await fillEveryTable({ query }, [database.ours, database.theirs]);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

describe('every table of environments', () => {
  test('has row-level security with a policy for each role', async () => {
    const { rows } = await database.owner.query<{
      name: string;
      secured: boolean;
      policies: string[];
    }>(
      `SELECT c.relname AS name, c.relrowsecurity AS secured,
              array(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1)
                AS policies
       FROM pg_class c WHERE c.oid = ANY ($1::regclass[]) ORDER BY 1`,
      [await environmentTables({ query })],
    );
    expect(rows.length).toBeGreaterThan(15);
    for (const { name, secured, policies } of rows) {
      const both = WITHOUT_POLICY.includes(name) ? [] : ['one_environment'];
      expect({ name, secured, policies }).toEqual({
        name,
        secured: true,
        policies: ['all_environments', ...both],
      });
    }
  });

  test('holds rows of both environments, so that the tests below prove something', async () => {
    const empty: string[] = [];
    for (const table of await environmentTables({ query })) {
      const column = environmentColumn(table);
      const { rows } = await database.owner.query(
        `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} = ANY ($1)`,
        [[database.ours, database.theirs]],
      );
      if (rows.length !== 2) empty.push(table);
    }
    expect(empty).toEqual([]);
  });

  test('shows a scope only its own rows, for every query', async () => {
    for (const table of await environmentTables({ query })) {
      const column = environmentColumn(table);
      const read = scoped((session) =>
        session.query<{ environment: number }>(
          // Models of the installation have no environment.
          `SELECT DISTINCT ${column} AS environment FROM ${table}
           WHERE ${column} IS NOT NULL AND (true OR ${column} > 0)`,
        ),
      );
      if (!(await mayRead(table))) await expect(read).rejects.toThrow('permission denied');
      else
        expect({ table, rows: await read }).toEqual({
          table,
          rows: [{ environment: database.ours }],
        });
    }
  });

  test('lets a scope change no row of another', async () => {
    const { theirs } = database;
    for (const table of await environmentTables({ query })) {
      const column = environmentColumn(table);
      const before = await fingerprint(table);
      const writes = [
        `UPDATE ${table} SET ${column} = ${column} WHERE ${column} = ${theirs}`,
        `DELETE FROM ${table} WHERE ${column} = ${theirs}`,
        `UPDATE ${table} SET ${column} = ${theirs}`,
      ];
      for (const write of writes) {
        // A grant or a policy may refuse the write, or the write has no effect. The table's content
        // shows whether the write had one.
        await scoped((session) => session.query(write)).catch(() => undefined);
      }
      expect({ table, content: await fingerprint(table) }).toEqual({ table, content: before });
    }
  });

  test('accepts no new row for another environment from a scope', async () => {
    for (const table of await environmentTables({ query })) {
      const columns = await insertableColumns(table);
      const list = columns.join(', ');
      // The copy of the other environment's row is valid except for its environment.
      const { rows } = await database.owner.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${environmentColumn(table)} = $1 LIMIT 1`,
        [database.theirs],
      );
      const insert = scoped((session) =>
        session.query(
          `INSERT INTO ${table} (${list})
           SELECT ${list} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`,
          [JSON.stringify(rows[0]!.row)],
        ),
      );
      await expect(insert).rejects.toThrow(/permission denied|row-level security/);
    }
  });

  test("takes no row of a scope that refers to what is another's", async () => {
    const { ours, theirs, owner } = database;
    const their = await owner.query<{ id: string }>(
      'SELECT id FROM identities WHERE environment_id = $1',
      [theirs],
    );
    await expect(
      scoped((session) =>
        addFaces(session, ours, { count: 1, identityId: Number(their.rows[0]!.id) }),
      ),
    ).rejects.toThrow('foreign key');
  });
});

describe('the scoped role', () => {
  test.each([
    'SET ROLE sightline_platform',
    'SET SESSION AUTHORIZATION sightline_platform',
    'ALTER TABLE detections DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE detections NO FORCE ROW LEVEL SECURITY',
    'DROP POLICY one_environment ON detections',
    `CREATE POLICY all_of_it ON detections TO sightline_app USING (true)`,
    'ALTER ROLE sightline_app BYPASSRLS',
    'GRANT sightline_platform TO sightline_app',
    'CREATE TABLE mine (id int)',
    'CREATE TEMPORARY TABLE mine (id int)',
    'CREATE SCHEMA mine',
    `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    'ALTER FUNCTION names_found(text, text, integer) SECURITY INVOKER',
    'DROP INDEX identities_name',
    'TRUNCATE detections',
    'TRUNCATE vector_changes',
    'ALTER TABLE detections DISABLE TRIGGER ALL',
    `SET session_replication_role = 'replica'`,
    'SELECT * FROM keys',
    'SELECT * FROM members',
    'SELECT * FROM accounts',
    'SELECT * FROM sessions',
    'SELECT * FROM logins',
    'SELECT * FROM sign_in_failures',
    'SELECT * FROM known_addresses',
    'SELECT * FROM invitations',
    'SELECT * FROM audit',
    'UPDATE audit SET user_id = NULL',
    'DELETE FROM audit',
    'SELECT prune_audit(1, 1)',
    'SELECT * FROM installation',
    'SELECT * FROM leases',
    `UPDATE index_readers SET filled_at = now()`,
    'DELETE FROM index_readers',
    'SELECT * FROM outbox',
    'DELETE FROM vector_changes',
    `INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
       VALUES (1, 'face_detections', 0, 0, 1000)`,
    `UPDATE models SET name = 'mine'`,
    `INSERT INTO system_settings (key, value) VALUES ('system.use_gpu', 'false')`,
    `INSERT INTO environments (name) VALUES ('mine')`,
    `COPY detections TO PROGRAM 'cat'`,
    `SELECT pg_read_file('/etc/passwd')`,
  ])('may not %s', async (statement) => {
    await expect(scoped((session) => session.query(statement))).rejects.toThrow(
      /permission denied|must be (?:owner|able)|only roles with/i,
    );
  });

  test('sees an error, not more rows, when it switches row security off', async () => {
    const read = scoped(async (session) => {
      await session.query('SET LOCAL row_security = off');
      return session.query('SELECT id FROM detections');
    });
    await expect(read).rejects.toThrow('row-level security');
  });

  test('sees nothing without an environment', async () => {
    const client = new pg.Client({ ...database.connection, user: 'sightline_app' });
    await client.connect();
    try {
      for (const table of await environmentTables({ query })) {
        if (!(await mayRead(table))) continue;
        const { rows } = await client.query<{ count: string }>(
          `SELECT count(${environmentColumn(table)}) FROM ${table}`,
        );
        expect({ table, count: rows[0]!.count }).toEqual({ table, count: '0' });
      }
      const { rows } = await client.query(`SELECT names_found('ann', NULL, 50)`);
      expect(rows).toEqual([]);
    } finally {
      await client.end();
    }
  });

  test('finds names of its own environment alone', async () => {
    const found = await scoped((session) =>
      session.query<{ id: number }>(`SELECT identity_id AS id FROM names_found('ann', NULL, 50)`),
    );
    const { rows } = await database.owner.query<{ id: string }>(
      'SELECT id FROM identities WHERE environment_id = $1',
      [database.ours],
    );
    expect(found).toEqual(rows.map(({ id }) => ({ id: Number(id) })));
  });

  test('has no attribute that bypasses row security', async () => {
    const { rows } = await database.owner.query(
      `SELECT rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication
       FROM pg_roles WHERE rolname IN ('sightline_app', 'sightline_platform') ORDER BY 1`,
    );
    const none = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
    };
    expect(rows).toEqual([
      { rolname: 'sightline_app', ...none },
      { rolname: 'sightline_platform', ...none },
    ]);
  });

  test('may call no function of another role except the name search, the acknowledgment, the beginning of an operation and one event', async () => {
    const { rows } = await database.owner.query(
      `SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = 'public' AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
         AND has_function_privilege('sightline_app', p.oid, 'EXECUTE')`,
    );
    expect(rows.map(({ proname }) => proname as string).toSorted()).toEqual([
      'acknowledge_similarity',
      'begin_operation',
      'event_at',
      'names_containing',
      'names_found',
      'names_listed',
    ]);
  });

  test('acknowledges only changes of its own environment and of similarity', async () => {
    const { ours, theirs, owner } = database;
    await owner.query(`INSERT INTO index_readers (name) VALUES ('similarity')`);
    const { rows } = await owner.query<{ id: string; name: string; environment: string }>(
      `WITH noted AS (
         INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
         SELECT e, r.id, 1, 'faces', 1 FROM unnest($1::bigint[]) AS e CROSS JOIN index_readers r
         RETURNING environment_id, reader_id, id)
       SELECT n.id, r.name, n.environment_id AS environment
       FROM noted n JOIN index_readers r ON r.id = n.reader_id`,
      [[ours, theirs]],
    );
    const ids = rows.map(({ id }) => Number(id));
    await scoped((session) => session.query('SELECT acknowledge_similarity($1)', [ids]));
    const kept = await owner.query<{ id: string }>(
      'SELECT id FROM vector_changes WHERE id = ANY ($1::bigint[])',
      [ids],
    );
    const gone = rows.filter(({ id }) => !kept.rows.some((row) => row.id === id));
    expect(gone).toMatchObject([{ name: 'similarity', environment: String(ours) }]);
  });

  test('uses functions with a fixed search path', async () => {
    const { rows } = await database.owner.query<{ proname: string }>(
      `SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = 'public' AND p.prosecdef
         AND NOT coalesce(p.proconfig, '{}') && ARRAY['search_path=public, pg_temp']`,
    );
    expect(rows).toEqual([]);
  });
});

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await database.owner.query(text, [...values])).rows as Row[];
}

function scoped<T>(work: (session: TransactionSession) => Promise<T>): Promise<T> {
  return database.doors.withEntities({ environmentId: database.ours, locks: [] }, work);
}

async function mayRead(table: string): Promise<boolean> {
  const { rows } = await database.owner.query<{ may: boolean }>(
    `SELECT has_table_privilege('sightline_app', $1, 'SELECT') AS may`,
    [table],
  );
  expect([...CLOSED, 'outbox'].includes(table)).toBe(!rows[0]!.may);
  return rows[0]!.may;
}

async function insertableColumns(table: string): Promise<readonly string[]> {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''
       AND attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function fingerprint(table: string): Promise<string> {
  const { rows } = await database.owner.query<{ content: string }>(
    `SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)), '[]')::text AS content
     FROM ${table} t WHERE ${environmentColumn(table)} = $1`,
    [database.theirs],
  );
  return rows[0]!.content;
}
