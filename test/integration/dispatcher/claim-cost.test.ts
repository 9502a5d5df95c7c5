import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DuePosition, HoldResult } from '@sightline/core/webhooks/delivery-queue';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';

const ENVIRONMENTS = 2_000;
const WEBHOOKS_EACH = 5;
const WEBHOOKS = ENVIRONMENTS * WEBHOOKS_EACH;
const PAGE = WEBHOOKS / 2;
const REQUEST = {
  after: null,
  read: 300,
  most: 8,
  limit: 512,
  share: 32,
  failing: { limit: 128, share: 4, after: 3 },
  held: [],
  seconds: 60,
};

let counter: ReadCounter;

beforeAll(async () => {
  counter = await ReadCounter.open(['webhook_turns', 'webhooks', 'webhook_deliveries']);
  await counter.owner.query(
    `INSERT INTO environments (name) SELECT 'e' || i FROM generate_series(1, ${ENVIRONMENTS}) AS i`,
  );
});
beforeEach(async () => {
  await counter.owner.query('DELETE FROM webhooks');
});
afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

async function plantWebhooks(dueAt: string): Promise<void> {
  await counter.owner.query(`
    WITH webhook AS (
      INSERT INTO webhooks (environment_id, url, events)
      SELECT id, 'http://sink.test/', '{}' FROM environments, generate_series(1, ${WEBHOOKS_EACH})
      RETURNING environment_id, id
    ), delivery AS (
      INSERT INTO webhook_deliveries
        (environment_id, webhook_id, event_id, event, attempt, ok, duration_ms, created_at)
      SELECT environment_id, id, gen_random_uuid(), 'ping', 1, true, 1, now() FROM webhook
    )
    INSERT INTO webhook_turns (environment_id, webhook_id, xid, id, due_at, failures)
    SELECT environment_id, id, '1', 0, ${dueAt}, id % 6 FROM webhook`);
}

test.each([
  [
    'after an analysis of the backlog',
    async () => {
      await plantWebhooks('now()');
      await counter.owner.query('VACUUM ANALYZE');
    },
  ],
  [
    'after an analysis of empty tables',
    async () => {
      await counter.owner.query('VACUUM ANALYZE');
      await plantWebhooks('now()');
    },
  ],
  [
    'after an analysis of idle webhooks',
    async () => {
      await plantWebhooks('NULL::timestamptz');
      await counter.owner.query('VACUUM ANALYZE');
      await counter.owner.query('UPDATE webhook_turns SET due_at = now()');
    },
  ],
])('a claim reads one page of the webhooks that are due, %s', async (_, prepare) => {
  await prepare();
  const through = await counter.tablesReadThrough(async ({ deliveries }) => {
    const { webhooks, end } = await deliveries.hold(REQUEST);
    expect(webhooks).toHaveLength(REQUEST.most);
    expect(end).not.toBeNull();
  });
  expect(through).toEqual([]);
  // The rounds of a dispatcher reach all webhooks.
  let read = 0;
  await counter.tablesReadThrough(async ({ deliveries }) => {
    let after: DuePosition | null = null;
    do {
      const { end }: HoldResult = await deliveries.hold({ ...REQUEST, read: PAGE, after });
      after = end;
      read += PAGE;
    } while (after !== null);
  });
  expect(read).toBe(WEBHOOKS + PAGE);
});
