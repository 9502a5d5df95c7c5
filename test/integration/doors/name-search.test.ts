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
       ($1, 'face', '100%_sure'), ($1, 'face', 'Zoë Kravitz'), ($1, 'face', 'IŞIK Yılmaz'), ($1, 'face', 'Σωκράτης'),
       ($1, 'face', 'Cafe\u0301 Owner'), ($1, 'face', 'Jean-Luc Qwx'), ($2, 'face', 'Michael Caine')`,
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
    ['a letter without its mark', 'zoe', 'Zoë Kravitz'],
    ['a letter with a mark of its own', 'zoe\u0308 k', 'Zoë Kravitz'],
    ['capital letters with marks', 'ZOË', 'Zoë Kravitz'],
    ['Turkish letters in another case', 'ışık yilmaz', 'IŞIK Yılmaz'],
    ['a capital with a dot', 'yİlmaz', 'IŞIK Yılmaz'],
    ['Greek without accents, with another sigma', 'ΣΩΚΡΑΤΗΣ', 'Σωκράτης'],
    ['a part of a Greek word', 'σωκρατησ', 'Σωκράτης'],
    ['a composed letter', 'café own', 'Cafe\u0301 Owner'],
    ['the middle of a name with a hyphen', 'n-l', 'Jean-Luc Qwx'],
    ['two letters that few names have', 'wx', 'Jean-Luc Qwx'],
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

  test.each(['Micheal Jordon', 'wx', '王', '%_', 'qwx', 'Xyzzyx Qwrtzp'])(
    'looks %s up among 200,000 names, as the calling role',
    async (text) => {
      const plans = await plansOf(async (client) => {
        await client.query('SELECT * FROM names_found($1, NULL, 50)', [text]);
        await client.query('SELECT * FROM names_listed($1, NULL, NULL, NULL, NULL, NULL, 50)', [
          text,
        ]);
      });
      const lookups = plans.filter((plan) => plan.includes('Bitmap Index Scan'));
      expect(lookups.length).toBeGreaterThan(1);
      for (const plan of lookups) {
        expect(plan).toContain('Bitmap Index Scan on identities_name');
        expect(plan).toContain('environment_id =');
      }
      expect(plans.join()).not.toContain('Seq Scan');
    },
  );
});

/** As a search finds them, as lists do page by page, and as a set: always the same names. */
async function find(text: string): Promise<readonly string[]> {
  const [best, listed, named] = await database.doors.withScope(
    { environmentId: database.ours },
    (session) =>
      Promise.all(
        [
          'SELECT identity_id FROM names_found($1, NULL, 200)',
          'SELECT names_listed($1, NULL, NULL, NULL, NULL, NULL, 200)',
          'SELECT identities_named($1)',
        ].map((ids) =>
          session.query<{ label: string }>(
            `SELECT label FROM identities WHERE id IN (${ids}) ORDER BY label`,
            [text],
          ),
        ),
      ),
  );
  expect(best).toEqual(named);
  expect(listed).toEqual(named);
  return named!.map(({ label }) => label);
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
