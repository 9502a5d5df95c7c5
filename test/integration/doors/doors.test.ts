import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPools } from '@sightline/postgres/doors/open-pools';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import { addFaces, openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

const detection = (id: number): EntityLock => ({ entity: 'detection', id });

let database: TestDoors;

beforeEach(async () => {
  database = await openTestDoors();
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

describe('withScope', () => {
  test('reads one environment and cannot write', async () => {
    const { doors, ours } = database;
    const scope = { environmentId: ours };
    await doors.withEntities({ ...scope, locks: [] }, (session) =>
      addFaces(session, ours, { count: 2 }),
    );
    const rows = await doors.withScope(scope, (session) =>
      session.query('SELECT id FROM detections'),
    );
    expect(rows).toHaveLength(2);
    await expect(
      doors.withScope(scope, (session) => session.query('DELETE FROM detections')),
    ).rejects.toThrow('read-only transaction');
  });

  test.each([0, -1, 1.5, Number.NaN, '1; DROP TABLE detections' as unknown as number])(
    'takes no environment but an id: %p',
    async (environmentId) => {
      await expect(
        database.doors.withScope({ environmentId }, () => Promise.resolve()),
      ).rejects.toThrow(RangeError);
    },
  );

  test('leaves a connection that sees nothing', async () => {
    const { doors, pools, ours } = database;
    await doors.withEntities({ environmentId: ours, locks: [] }, (session) =>
      addFaces(session, ours, { count: 1 }),
    );
    // The pool has a single connection, which the transaction used.
    expect(pools.app.totalCount).toBe(1);
    const after = await pools.app.query<{ setting: string; seen: number }>(
      `SELECT current_setting('sightline.environment_id', true) AS setting,
              (SELECT count(*) FROM detections) AS seen`,
    );
    expect(after.rows).toEqual([{ setting: '', seen: 0 }]);
  });
});

describe('withEntities', () => {
  test('starts again with a missing lock, and then holds both', async () => {
    const { doors, ours } = database;
    const held: number[] = [];
    const result = await doors.withEntities(
      { environmentId: ours, locks: [detection(1)] },
      async (session, require) => {
        held.push(await countLocks(session));
        require(detection(2));
        return 'done';
      },
    );
    expect(result).toBe('done');
    // One of the locks is the lock of the environment.
    expect(held).toEqual([2, 3]);
  });

  test('keeps its locks while it takes one of a higher order, and rolls back its writes', async () => {
    const { doors, ours } = database;
    const transactions: string[] = [];
    const runs = async (session: TransactionSession) => {
      const [row] = await session.query<{ began: string }>('SELECT now()::text AS began');
      transactions.push(row!.began);
    };
    const locks = [detection(5)];
    await doors.withEntities({ environmentId: ours, locks }, async (session, require) => {
      await runs(session);
      require(detection(6));
    });
    expect(transactions[0]).toBe(transactions[1]);
    await doors.withEntities({ environmentId: ours, locks }, async (session, require) => {
      await runs(session);
      require(detection(4));
    });
    expect(transactions[2]).not.toBe(transactions[3]);
    const counts: unknown[] = [];
    await doors.withEntities({ environmentId: ours, locks }, async (session, require) => {
      counts.push(...(await session.query('SELECT count(*)::int AS faces FROM detections')));
      await addFaces(session, ours, { count: 1 });
      require(detection(6));
      await session.query('DELETE FROM detections');
    });
    expect(counts).toEqual([{ faces: 0 }, { faces: 0 }]);
  });

  test('twenty transactions that need a further lock take turns', async () => {
    const { doors, ours } = database;
    let last = 100;
    const next = async () =>
      doors.withEntities({ environmentId: ours, locks: [detection(1)] }, (_, require) => {
        // Each attempt requires a lock that the attempt before did not have.
        require(detection(last));
        last++;
        return Promise.resolve();
      });
    await Promise.all(Array.from({ length: 20 }, next));
    expect(last).toBe(120);
  });

  test('starts again even if the work catches the error', async () => {
    const { doors, ours } = database;
    let runs = 0;
    await doors.withEntities({ environmentId: ours, locks: [] }, async (session, require) => {
      runs++;
      try {
        require(detection(7));
      } catch {
        await addFaces(session, ours, { count: 1 });
      }
    });
    expect(runs).toBe(2);
    expect(await countDetections()).toBe(0);
  });

  test('locks the environment exclusively when a lock is missing for the fifth time', async () => {
    const { doors, ours } = database;
    const held: number[] = [];
    await doors.withEntities({ environmentId: ours, locks: [] }, async (session, require) => {
      held.push(await countLocks(session));
      // Each attempt requires another lock.
      require(detection(10 - held.length));
    });
    expect(held).toEqual([1, 2, 3, 4, 5, 1]);
  });

  test('locks the environment instead of more than 500 entities', async () => {
    const { doors, ours } = database;
    const locks = Array.from({ length: 501 }, (_, i) => detection(i + 1));
    const [few, many] = await Promise.all([
      doors.withEntities({ environmentId: ours, locks: locks.slice(1) }, countLocks),
      doors.withEntities({ environmentId: ours, locks }, countLocks),
    ]);
    expect([few, many]).toEqual([501, 1]);
  });

  test('starts again when the server ends a deadlock', async () => {
    const { doors, ours } = database;
    const ids = await doors.withEntities({ environmentId: ours, locks: [] }, (session) =>
      addFaces(session, ours, { count: 2 }),
    );
    let runs = 0;
    const met = Promise.withResolvers<undefined>();
    const cross = (first: number, second: number) =>
      doors.withEntities({ environmentId: ours, locks: [] }, async (session) => {
        const update = `UPDATE detections SET confidence = confidence / 2 WHERE id = $1`;
        await session.query(update, [first]);
        runs++;
        if (runs >= 2) met.resolve(undefined);
        await met.promise;
        await session.query(update, [second]);
      });
    await Promise.all([cross(ids[0]!, ids[1]!), cross(ids[1]!, ids[0]!)]);
    // The restarted transaction may deadlock once more with the one that went on.
    expect(runs).toBeGreaterThan(2);
    const { rows } = await database.owner.query('SELECT DISTINCT confidence FROM detections');
    expect(rows).toEqual([{ confidence: 0.9 / 4 }]);
  });

  test('keeps nothing if the work fails, or if a statement has failed that the work ignores', async () => {
    const { doors, ours } = database;
    const scope = { environmentId: ours, locks: [] };
    await expect(
      doors.withEntities(scope, async (session) => {
        await addFaces(session, ours, { count: 1 });
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    await expect(
      doors.withEntities(scope, async (session) => {
        await addFaces(session, ours, { count: 1 });
        await session.query('SELECT 1 / 0').catch(() => undefined);
      }),
    ).rejects.toThrow('A statement of the transaction has failed.');
    expect(await countDetections()).toBe(0);
  });

  test('closes the session with the transaction: a late branch runs in no other', async () => {
    const { doors, ours, theirs } = database;
    const failed = Promise.withResolvers<undefined>();
    const late = Promise.withResolvers<unknown>();
    await expect(
      doors.withEntities({ environmentId: ours, locks: [] }, async (session) => {
        const branch = async () => {
          await failed.promise;
          return addFaces(session, ours, { count: 1 });
        };
        branch().then(late.resolve, late.resolve);
        await session.query('SELECT 1 / 0');
      }),
    ).rejects.toThrow('division by zero');
    await doors.withScope({ environmentId: theirs }, async () => {
      failed.resolve(undefined);
      expect(await late.promise).toMatchObject({ message: expect.stringContaining('has ended') });
    });
  });
});

describe('copyFromPlatform', () => {
  test('reads rows as bytes, in their order', async () => {
    const rows = await database.doors.copyFromPlatform(
      'index',
      `SELECT n::integer, CASE WHEN n % 2 = 0 THEN decode(repeat('00ff', n), 'hex') END
       FROM generate_series(1, 20000) AS n`,
    );
    expect(rows).toHaveLength(20_000);
    const [odd, even] = rows.slice(998, 1000);
    expect(odd).toEqual([Buffer.from([0, 0, 999 >> 8, 999 & 255]), null]);
    expect(even![1]).toEqual(Buffer.from('00ff'.repeat(1000), 'hex'));
  });

  test('reads no rows', async () => {
    expect(await database.doors.copyFromPlatform('index', 'SELECT 1 WHERE false')).toEqual([]);
  });

  test('leaves a connection that works after an error', async () => {
    const { doors } = database;
    const failing = 'SELECT 1 / (500 - n) FROM generate_series(1, 1000) AS n';
    await expect(doors.copyFromPlatform('index', failing)).rejects.toThrow('division by zero');
    expect(await doors.copyFromPlatform('index', "SELECT 'a'")).toEqual([[Buffer.from('a')]]);
  });

  test('ends with an abort', async () => {
    const controller = new AbortController();
    const endless = 'SELECT pg_sleep(300)';
    const reading = database.doors.copyFromPlatform('index', endless, controller.signal);
    setTimeout(() => controller.abort(new Error('cancelled by the test')), 50);
    await expect(reading).rejects.toThrow('cancelled by the test');
  });
});

describe('an abort', () => {
  test('gives up waiting for a lock, and the server stops waiting too', async () => {
    const { doors, ours } = database;
    const scope = { environmentId: ours, locks: [detection(1)] };
    const release = Promise.withResolvers<undefined>();
    const holding = Promise.withResolvers<undefined>();
    const holder = doors.withEntities(scope, async () => {
      holding.resolve(undefined);
      await release.promise;
    });
    await holding.promise;
    const controller = new AbortController();
    const waiter = doors.withEntities(scope, () => Promise.resolve(), controller.signal);
    await until(async () => (await waitingBackends()) === 1);
    controller.abort(new Error('cancelled by the test'));
    await expect(waiter).rejects.toThrow('cancelled by the test');
    await until(async () => (await waitingBackends()) === 0);
    release.resolve(undefined);
    await holder;
    // This shows that the lock is free and that all connections of the pool work.
    await doors.withEntities(scope, () => Promise.resolve());
  });

  test('gives up waiting for a connection, which goes to the next one', async () => {
    const { doors, pools, ours } = database;
    const release = Promise.withResolvers<undefined>();
    const holders = Array.from({ length: pools.app.options.max }, () =>
      doors.withScope({ environmentId: ours }, () => release.promise),
    );
    await until(() => Promise.resolve(pools.app.totalCount === pools.app.options.max));
    const controller = new AbortController();
    const waiter = doors.withScope(
      { environmentId: ours },
      () => Promise.resolve(),
      controller.signal,
    );
    controller.abort(new Error('cancelled by the test'));
    await expect(waiter).rejects.toThrow('cancelled by the test');
    release.resolve(undefined);
    await Promise.all(holders);
    expect(await doors.ready()).toBe(true);
    await until(() => Promise.resolve(pools.app.idleCount === pools.app.totalCount));
  });

  test('that came before is enough', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(
      database.doors.withScope({ environmentId: database.ours }, () => Promise.resolve(), signal),
    ).rejects.toThrow('too late');
  });
});

describe('a server that ends connections', () => {
  test('fails the running transactions with a sentence, and serves the next one', async () => {
    const { doors, ours, owner } = database;
    const running = doors.withScope({ environmentId: ours }, async (session) => {
      await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE usename = 'sightline_app' AND datname = current_database()`,
      );
      return session.query('SELECT 1');
    });
    await expect(running).rejects.toThrow(StoreUnavailable);
    await expect(running).rejects.toThrow('does not answer at the moment');
    expect(await doors.ready()).toBe(true);
  });

  test('when a transaction idles', async () => {
    const { doors, ours } = database;
    const idle = doors.withScope({ environmentId: ours }, async (session) => {
      await session.query(`SET LOCAL idle_in_transaction_session_timeout = '50ms'`);
      await session.query('SELECT 1');
      await until(async () => (await idleBackends()) === 0);
      return session.query('SELECT 1');
    });
    await expect(idle).rejects.toThrow(StoreUnavailable);
    expect(await doors.ready()).toBe(true);
  });

  test('is not ready while it is down, without an error', async () => {
    const { pools } = database;
    pools.app.options.host = '/nowhere';
    expect(await database.doors.ready()).toBe(false);
    await expect(
      database.doors.withScope({ environmentId: 1 }, () => Promise.resolve()),
    ).rejects.toThrow(StoreUnavailable);
  });
});

test('sessions have their time limits', async () => {
  const logger = createLogger({ level: 'silent' });
  await using pools = openPools(database.connection, { logger });
  const { rows } = await pools.app.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN
       ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
     ORDER BY name`,
  );
  expect(rows.map(({ setting }) => Number(setting))).toEqual([10_000, 30_000, 60_000]);
});

async function countLocks(session: {
  query<Row>(text: string): Promise<readonly Row[]>;
}): Promise<number> {
  const [row] = await session.query<{ held: number }>(
    `SELECT count(*) AS held FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
  );
  return row!.held;
}

async function countDetections(): Promise<number> {
  const { rows } = await database.owner.query<{ count: string }>('SELECT count(*) FROM detections');
  return Number(rows[0]!.count);
}

/** Returns the number of backends of this database that wait for an advisory lock. */
async function waitingBackends(): Promise<number> {
  const { rows } = await database.owner.query<{ count: string }>(
    `SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`,
  );
  return Number(rows[0]!.count);
}

async function idleBackends(): Promise<number> {
  const { rows } = await database.owner.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  return Number(rows[0]!.count);
}

/** Polls until the condition holds. Otherwise the test times out. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
