import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { addFaces, openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

/** A time limit in ms that only the slow survey exceeds. */
const LIMIT_MS = 2_000;
const LONG = `SELECT pg_sleep(${(2 * LIMIT_MS) / 1000})`;

let database: TestDoors;
/** Doors with the limit. Statements that a slow machine must not lose go through those of the database. */
let limited: Doors;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  database = resources.use(await openTestDoors());
  const pools = resources.use(
    openPools(database.connection, {
      logger: createLogger({ level: 'silent' }),
      statementTimeout: LIMIT_MS,
      transactionTimeout: LIMIT_MS,
    }),
  );
  // Reduces the client's timeout to the limit itself. By default it is longer, so that the server's error arrives
  // first.
  Object.assign(pools.platform.options, { query_timeout: LIMIT_MS });
  limited = new Doors(pools);
});

afterAll(async () => {
  await resources.disposeAsync();
});

test('goes on where other statements of the platform meet their limits', async () => {
  await expect(limited.onPlatform('maintenance', (session) => session.query(LONG))).rejects.toThrow(
    StoreUnavailable,
  );
  const slept = await limited.surveyPlatform('maintenance', async (session) => {
    await session.query(LONG);
    return session.query(LONG);
  });
  expect(slept).toHaveLength(1);
});

test('leaves its connection with the usual limits', async () => {
  await limited.surveyPlatform('maintenance', (session) => session.query('SELECT 1'));
  const rows = await limited.withPlatform('maintenance', (session) =>
    session.query<{ setting: string }>(
      `SELECT setting FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout')`,
    ),
  );
  expect(rows.map(({ setting }) => Number(setting))).toEqual([LIMIT_MS, LIMIT_MS]);
});

test('sees all environments, as they were at its beginning, and cannot write', async () => {
  const { doors, ours, theirs } = database;
  const add = (environmentId: number) =>
    doors.withEntities({ environmentId, locks: [] }, (session) =>
      addFaces(session, environmentId, { count: 1 }),
    );
  await add(ours);
  await add(theirs);
  const [before, after] = await doors.surveyPlatform('maintenance', async (session) => {
    const count = () =>
      session.query<{ faces: number }>('SELECT count(*) AS faces FROM detections');
    const first = await count();
    await add(ours);
    return [first, await count()];
  });
  expect(before).toEqual([{ faces: 2 }]);
  expect(after).toEqual([{ faces: 2 }]);
  await expect(
    doors.surveyPlatform('maintenance', (session) => session.query('DELETE FROM detections')),
  ).rejects.toThrow('read-only transaction');
});

test('holds up neither writers nor the readers of the outbox', async () => {
  const { doors, ours, owner } = database;
  await doors.surveyPlatform('maintenance', async (session) => {
    await session.query('SELECT count(*) FROM detections');
    await doors.withEntities(
      { environmentId: ours, locks: [{ entity: 'environment' }] },
      (writing) => addFaces(writing, ours, { count: 1 }),
    );
    const { rows } = await owner.query<{ age: number }>('SELECT horizon_age() AS age');
    expect(rows).toEqual([{ age: 0 }]);
  });
});

test('ends when its caller leaves', async () => {
  const { doors } = database;
  const caller = new AbortController();
  const reason = new Error('the caller left');
  const survey = doors.surveyPlatform(
    'maintenance',
    async (session) => {
      const sleeping = session.query('SELECT pg_sleep(60)');
      caller.abort(reason);
      return sleeping;
    },
    caller.signal,
  );
  await expect(survey).rejects.toBe(reason);
  await expect(
    doors.surveyPlatform('maintenance', (session) => session.query('SELECT 1 AS one')),
  ).resolves.toEqual([{ one: 1 }]);
});
