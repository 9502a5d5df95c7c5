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
  // Rebuilding the index after the inserts takes a fraction of the time that updating it takes.
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
       ($1, 'face', 'Kofe\u0301 Owner'), ($1, 'face', 'Jean-Luc Qwx'), ($2, 'face', 'Michael Caine')`,
    [ours, theirs],
  );
  await owner.query(
    `INSERT INTO identities (environment_id, type, label, deleting_since, merged_into)
     SELECT $1, 'face', 'Quixote ' || way, now(), target
     FROM (SELECT min(id) FROM identities WHERE environment_id = $1) AS known (id),
       LATERAL (VALUES ('deleted', NULL), ('merging', id)) AS left_by (way, target)`,
    [ours],
  );
  await owner.query('VACUUM ANALYZE identities');
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

describe('the search of names', () => {
  test.each([
    ['a part of a word', 'ordan', 'Michael Jordan'],
    ['another case', 'MICHAEL JO', 'Michael Jordan'],
    ['letters beyond ASCII in another case', 'élodie', 'ÉLODIE Dubois'],
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
    ['a composed letter', 'kofé own', 'Kofe\u0301 Owner'],
    ['the middle of a name with a hyphen', 'n-l', 'Jean-Luc Qwx'],
    ['two letters that few names have', 'wx', 'Jean-Luc Qwx'],
  ])('finds %s', async (_, text, label) => {
    expect(await find(text)).toEqual([label]);
  });

  test.each([
    ['a near miss', 'Micheal Jordon', 'Michael Jordan'],
    ['a near miss in another alphabet', 'Жана Фриска', 'Жанна Фриске'],
  ])('finds %s, which a list does not have', async (_, text, label) => {
    expect(
      await labelsOf(['SELECT identity_id FROM names_found($1, NULL, 200)', ...LISTED], text),
    ).toEqual([[label], [], []]);
  });

  test.each([
    ['a name of another environment', 'Caine'],
    ['wildcards', '%_%'],
    ['a name that no identity has', 'Xyzzyx Qwrtzp'],
    ['who is being deleted or merged', 'Quixote'],
    ['who is being deleted by a near miss', 'Quixotte deletd'],
    ['who is being deleted by two letters', 'qu'],
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
      expect(lookups.length).toBeGreaterThan(0);
      for (const plan of lookups) {
        expect(plan).toContain('Bitmap Index Scan on identities_name');
        expect(plan).toContain('environment_id =');
      }
      expect(plans.join()).not.toContain('Seq Scan');
    },
  );

  // Each way of the search is taken by at least one of these texts: a frequent text found by a scan in the order of
  // labels, a rare text found in the index, and texts that are similar to few or to many names.
  test.each(['e', 'ab', 'caf', 'cafe', 'michael', 'Micheal', 'abcde fghij', '12345'])(
    'finds %s in the environment of its transaction alone',
    async (text) => {
      const { doors, ours, theirs, owner } = database;
      for (const environmentId of [ours, theirs]) {
        const ids = await doors.withScope({ environmentId }, (session) =>
          session.query<{ id: number }>(
            `SELECT identity_id AS id FROM names_found($1, NULL, 200)
             UNION ALL SELECT names_listed($1, NULL, NULL, NULL, NULL, NULL, 200)
             UNION ALL SELECT names_listed($1, NULL, NULL, 'M', 'face', 1, 200)
             UNION ALL SELECT names_listed($1, NULL, NULL, NULL, NULL, NULL, NULL)
             UNION ALL SELECT names_containing($1, NULL, NULL, 200)`,
            [text],
          ),
        );
        const { rows } = await owner.query<{ environment: number }>(
          'SELECT DISTINCT environment_id::int AS environment FROM identities WHERE id = ANY ($1)',
          [ids.map(({ id }) => id)],
        );
        expect(rows.every(({ environment }) => environment === environmentId)).toBe(true);
      }
    },
  );

  test('lists the names of a text page by page, each once', async () => {
    const all = await pagesOf('ca', 100_000);
    expect(all.length).toBeGreaterThan(500);
    expect(await pagesOf('ca', 970)).toEqual(all);
  });

  test('without the function, no index serves the role: the reason for the function', async () => {
    const plans = await plansOf((client) =>
      client.query(
        `SELECT id FROM identities WHERE environment_id > 0 AND folded_label LIKE '%jordan%'`,
      ),
    );
    expect(plans).toHaveLength(1);
    expect(plans[0]).not.toContain('identities_name');
  });
});

/** A page of a list, and the whole list. */
const LISTED = [
  'SELECT names_listed($1, NULL, NULL, NULL, NULL, NULL, 200)',
  'SELECT names_listed($1, NULL, NULL, NULL, NULL, NULL, NULL)',
];

/**
 * Returns the names that a search finds. Expects the same names from a page and from the whole
 * list, unless they are only near to the text.
 */
async function find(text: string): Promise<readonly string[]> {
  const [best, page, listed] = await labelsOf(
    ['SELECT identity_id FROM names_found($1, NULL, 200)', ...LISTED],
    text,
  );
  expect(best).toEqual(listed);
  expect(page).toEqual(listed);
  return listed!;
}

/** Returns the labels of the identities that each of these queries finds, by label. */
function labelsOf(
  queries: readonly string[],
  text: string,
): Promise<readonly (readonly string[])[]> {
  return database.doors.withScope({ environmentId: database.ours }, (session) =>
    Promise.all(
      queries.map(async (ids) => {
        const found = await session.query<{ label: string }>(
          `SELECT label FROM identities WHERE id IN (${ids}) ORDER BY label`,
          [text],
        );
        return found.map(({ label }) => label);
      }),
    ),
  );
}

/** Returns the labels that a text finds, read in pages of this size. */
async function pagesOf(text: string, size: number): Promise<readonly string[]> {
  const labels: string[] = [];
  for (let after: string | null = null; ;) {
    const page: readonly { label: string }[] = await database.doors.withScope(
      { environmentId: database.ours },
      (session) =>
        session.query<{ label: string }>(
          `SELECT label FROM identities
           WHERE id IN (SELECT names_listed($1, NULL, NULL, $2, 'face', 1e15::bigint, $3))
           ORDER BY label, type, id LIMIT $3`,
          [text, after, size],
        ),
    );
    labels.push(...page.map(({ label }) => label));
    if (page.length < size) return labels;
    after = page.at(-1)!.label;
  }
}

/**
 * Returns the plans that the server reports for its statements, including statements within
 * functions.
 */
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
