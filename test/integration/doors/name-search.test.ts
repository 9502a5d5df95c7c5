import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

const NAMES = 200_000;

let database: TestDoors;

beforeAll(async () => {
  database = await openTestDoors();
  const { owner, ours, theirs } = database;
  const fill = `INSERT INTO identities (environment_id, type, label)
    SELECT $1, 'face', initcap(substr(md5(n::text), 1, 7)) || ' ' || initcap(substr(md5((-n)::text), 1, 9)) || ' ' || n
    FROM generate_series(1, $2::int) AS n`;
  // Built at once, the index takes a fraction of the time.
  const index = await owner.query<{ definition: string }>(
    `SELECT pg_get_indexdef('identities_name'::regclass) AS definition`,
  );
  await owner.query('DROP INDEX identities_name');
  await owner.query(fill, [ours, NAMES]);
  await owner.query(fill, [theirs, 1000]);
  await owner.query(index.rows[0]!.definition);
  await owner.query(
    `INSERT INTO identities (environment_id, type, label) VALUES
       ($1, 'face', 'Michael Jordan'), ($1, 'face', 'ÉLODIE Dubois'), ($1, 'face', '王伟'), ($1, 'face', 'Жанна Фриске'),
       ($1, 'face', '100%_sure'), ($2, 'face', 'Michael Caine')`,
    [ours, theirs],
  );
  await owner.query('VACUUM ANALYZE identities');
}, 300_000);

afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

describe('the search of names', () => {
  test.each([
    ['a part of a word', 'ordan', 'Michael Jordan'],
    ['another case', 'MICHAEL JO', 'Michael Jordan'],
    ['a near miss', 'Micheal Jordon', 'Michael Jordan'],
    ['letters beyond ASCII in another case', 'élodie', 'ÉLODIE Dubois'],
    ['a near miss in another alphabet', 'Жана Фриска', 'Жанна Фриске'],
    ['two characters', '王伟', '王伟'],
    ['one character', '伟', '王伟'],
    ['characters that mean something to LIKE', '0%_s', '100%_sure'],
  ])('finds %s', async (_, text, label) => {
    expect(await find(text)).toEqual([label]);
  });

  test.each([
    ['a name of another environment', 'Caine'],
    ['wildcards', '%_%'],
    ['nobody', 'Xyzzyx Qwrtzp'],
  ])('does not find %s', async (_, text) => {
    expect(await find(text)).toEqual([]);
  });

  test('uses its index among 200,000 names, as the calling role', async () => {
    const plans = await plansOf(async (client) => {
      // More often than the server plans anew: it must not change its mind for a plan without values.
      for (let i = 0; i < 8; i++) {
        await client.query(`SELECT * FROM identities_named('Micheal Jordon')`);
      }
    });
    const inner = plans.filter((plan) => plan.includes('<%'));
    expect(inner).toHaveLength(8);
    for (const plan of inner) {
      expect(plan).toContain('Bitmap Index Scan on identities_name');
      expect(plan).not.toContain('Seq Scan');
    }
  });

  test('without the function, no index serves the role: the reason for the function', async () => {
    const plans = await plansOf((client) =>
      client.query(
        `SELECT id FROM identities WHERE lower(label COLLATE "pg_unicode_fast") LIKE '%jordan%'`,
      ),
    );
    expect(plans).toHaveLength(1);
    expect(plans[0]).not.toContain('identities_name');
  });
});

async function find(text: string): Promise<readonly string[]> {
  const rows = await database.doors.withScope({ environmentId: database.ours }, (session) =>
    session.query<{ label: string }>(
      'SELECT label FROM identities WHERE id IN (SELECT identities_named($1))',
      [text],
    ),
  );
  return rows.map(({ label }) => label);
}

/** The plans that the server ran, those within functions too, as it tells them itself. */
async function plansOf(run: (client: pg.Client) => Promise<unknown>): Promise<readonly string[]> {
  const client = new pg.Client(database.connection);
  const plans: string[] = [];
  client.on('notice', ({ message }) => plans.push(message ?? ''));
  await client.connect();
  try {
    await client.query(`LOAD 'auto_explain'`);
    await client.query(
      `SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
       SET auto_explain.log_level = notice; SET search_path = public`,
    );
    await client.query('SET SESSION AUTHORIZATION sightline_app');
    await client.query(`BEGIN; SET LOCAL sightline.environment_id = ${database.ours}`);
    plans.length = 0;
    await run(client);
    return plans;
  } finally {
    await client.end();
  }
}
