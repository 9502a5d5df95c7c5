import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';

const IDLE = 5_000;
const EVENTS = 20_000;
const BUSY = [1, 2, 3];
const CONSUMED = { consumer: 'feed', consume: () => Promise.resolve() } as const;

const INSERT_IDLE = `
  INSERT INTO outbox (environment_id, event, version, data)
  VALUES (${IDLE}, 'identity.deleted', 1, '{"identity_id": 1}')`;

let counter: ReadCounter;

beforeAll(async () => {
  counter = await ReadCounter.open(['environments', 'consumer_positions', 'outbox']);
  await counter.owner.query(`
    INSERT INTO environments (name) SELECT 'e' || i FROM generate_series(1, ${IDLE}) AS i;
    INSERT INTO consumer_positions (environment_id, consumer, xid, id)
      SELECT id, c, '1', 1 FROM environments, unnest(array['feed', 'webhooks']) AS c`);
});

beforeEach(async () => {
  await counter.owner.query('DELETE FROM outbox; DELETE FROM consumer_floors');
});

afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

/** Plants events of a few environments; the planner knows their number only after `ANALYZE`. */
async function plantEvents(): Promise<void> {
  await counter.owner.query(`
    INSERT INTO outbox (environment_id, event, version, data)
    SELECT 1 + i % ${BUSY.length}, 'identity.deleted', 1, '{"identity_id": 1}'
    FROM generate_series(1, ${EVENTS}) AS i`);
}

async function consumeAll({ consumers }: PostgresStores): Promise<void> {
  for (let left: readonly number[] = BUSY; left.length > 0;) {
    left = await consumers.catchUp(CONSUMED, left);
  }
}

describe.each([
  [
    'after an analysis of the full outbox',
    async () => {
      await plantEvents();
      await counter.owner.query('VACUUM ANALYZE');
    },
  ],
  [
    'after an analysis of an empty outbox',
    async () => {
      await counter.owner.query('VACUUM ANALYZE');
      await plantEvents();
    },
  ],
])('among many idle environments, %s,', (_, prepare) => {
  test('a search for overdue events looks up the environments that have events', async () => {
    await prepare();
    const through = await counter.tablesReadThrough(async (stores) => {
      expect((await overdue(stores)).toSorted()).toEqual(BUSY);
      expect(await stores.consumers.lags()).toMatchObject({ feed: expect.any(Number) });
    });
    expect(through).toEqual(['outbox']);
  });

  test('a search reads no events that are consumed', async () => {
    await prepare();
    await counter.tablesReadThrough(async (stores) => {
      await consumeAll(stores);
      expect(await stores.consumers.behind('feed', 0)).toEqual([]);
    });
    const through = await counter.tablesReadThrough(async ({ consumers }) => {
      expect(await consumers.behind('feed', 0)).toEqual([]);
      expect(await consumers.lags()).toMatchObject({ feed: 0 });
    });
    expect(through).toEqual([]);
  });

  test('the event before the first one of an environment is looked up alone', async () => {
    await prepare();
    const { rows } = await counter.owner.query<{ xid: string; id: string }>(
      'SELECT xid::text, id FROM outbox ORDER BY xid DESC, id DESC LIMIT 1',
    );
    const [{ xid, id }] = rows as [{ xid: string; id: string }];
    await counter.owner.query(INSERT_IDLE);
    const through = await counter.tablesReadThrough(async ({ outbox }) => {
      for (let found = 0; found === 0;) {
        const { events } = await outbox.read({ xid, id: Number(id) }, 10);
        expect(events.map(({ previous }) => previous)).toEqual(events.map(() => null));
        found = events.length;
      }
    });
    expect(through).toEqual([]);
  });

  test('an idle environment reads no events of others', async () => {
    await prepare();
    const through = await counter.tablesReadThrough(async ({ consumers }) => {
      expect(await consumers.catchUp(CONSUMED, [IDLE])).toEqual([]);
    });
    expect(through).toEqual([]);
  });
});

test('a search finds the next events of environments beside those that others have consumed', async () => {
  await plantEvents();
  await counter.tablesReadThrough(async (stores) => {
    const { consumers } = stores;
    await consumers.catchUp(CONSUMED, [1]);
    expect(await consumers.behind('feed', 60_000)).toEqual([]);
    expect((await overdue(stores)).toSorted()).toEqual(BUSY);
    await consumeAll(stores);
    expect(await consumers.behind('feed', 0)).toEqual([]);
    await counter.owner.query(INSERT_IDLE);
    expect(await overdue(stores)).toEqual([IDLE]);
  });
});

/** Searches until events are found, because transactions in other databases of the server may delay them. */
async function overdue({ consumers }: PostgresStores): Promise<readonly number[]> {
  for (;;) {
    const found = await consumers.behind('feed', 0);
    if (found.length > 0) return found;
  }
}
