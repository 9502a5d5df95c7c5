import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { HeldWebhooks } from '@sightline/background/dispatcher/held-webhooks';
import type { SendMessage, SendResult } from '@sightline/core/webhooks/send-message';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const FLOODING = 17;
/** The most webhooks of a claim, and of a process. */
const CLAIM = 8;
const MAX_HELD = 512;

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  // Webhooks of other tests are not due.
  await store.query('UPDATE webhook_turns SET due_at = NULL');
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** Creates an environment with due webhooks that have a message. */
async function seed(webhooks: number): Promise<number> {
  const home = await store.environment();
  const { environmentId } = home.scope;
  await store.query(
    `WITH webhook AS (
       INSERT INTO webhooks (environment_id, url, events)
       SELECT $1, 'http://sink.test/' || n, '{}' FROM generate_series(1, $2::integer) n
       RETURNING environment_id, id, active_from
     )
     INSERT INTO webhook_turns (environment_id, webhook_id, xid, id, due_at)
     SELECT environment_id, id, pg_snapshot_xmin(active_from), 0, now() FROM webhook`,
    [environmentId, webhooks],
  );
  await home.identity('Ada');
  return environmentId;
}

/** The webhooks that one process holds. */
function openHeld(send: SendMessage): HeldWebhooks {
  return new HeldWebhooks({
    queue: store.deliveries,
    secrets: { seal: () => new Uint8Array(), open: () => '' },
    send,
    observer: { attempted: () => undefined, switchedOff: () => undefined },
    failed: () => undefined,
  });
}

async function heldOf(environmentIds: readonly number[]): Promise<number[]> {
  const rows = await store.query<{ environmentId: number; held: number }>(
    `SELECT environment_id AS "environmentId", count(*)::integer AS held FROM webhook_turns
     WHERE token IS NOT NULL GROUP BY environment_id`,
  );
  return environmentIds.map((id) => rows.find((row) => row.environmentId === id)?.held ?? 0);
}

test('endpoints that hang get one request each, and leave room for other environments at any time', async () => {
  const flooding = new Set<number>();
  for (let n = 0; n < FLOODING; n++) flooding.add(await seed(40));
  /** The number of requests in flight, by environment and URL. */
  const inFlight = new Map<number, Map<string, number>>();
  const end = Promise.withResolvers<SendResult>();
  end.promise.catch(() => undefined);
  const held = openHeld(({ environmentId, url }) => {
    const sent = inFlight.get(environmentId) ?? new Map<string, number>();
    inFlight.set(environmentId, sent.set(url, (sent.get(url) ?? 0) + 1));
    return end.promise;
  });
  const take = () => held.take(new AbortController().signal);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  // In the first moments of the flood, another environment gets its turn before the others get a second one.
  expect(await take()).toEqual({ more: true });
  expect(sum(await heldOf([...flooding]))).toBe(CLAIM);
  const early = await seed(1);
  while (sum(await heldOf([early])) === 0) await take();
  expect(sum(await heldOf([...flooding]))).toBeLessThan(FLOODING + CLAIM);
  while ((await take()).more);
  const counts = await heldOf([...flooding]);
  const least = Math.min(...counts);
  expect(Math.max(...counts) - least).toBeLessThanOrEqual(1);
  expect(MAX_HELD - sum(counts) - 1).toBeGreaterThanOrEqual(least);
  const late = await seed(1);
  await take();
  expect(await heldOf([late])).toEqual([1]);

  const all = [...flooding, early, late];
  const sent = () => all.map((id) => [...(inFlight.get(id)?.values() ?? [])]);
  while (sent().flat().length < sum(counts) + 2) await sleep(20);
  expect(sent()).toEqual([...counts, 1, 1].map((count) => Array.from({ length: count }, () => 1)));
  end.reject(new Error('the test is over'));
  await held[Symbol.asyncDispose]();
});

test('several processes that claim webhooks of one environment at the same time get different ones', async () => {
  const busy = await seed(40);
  // The webhook that has waited longest has failed once.
  await store.query(
    `UPDATE webhook_turns SET failures = 1, due_at = due_at - interval '1 second'
     WHERE (environment_id, webhook_id) = (
       SELECT environment_id, max(webhook_id) FROM webhook_turns
       WHERE environment_id = $1 GROUP BY environment_id)`,
    [busy],
  );
  const end = Promise.withResolvers<SendResult>();
  end.promise.catch(() => undefined);
  const processes = [1, 2].map(() => openHeld(() => end.promise));
  const { signal } = new AbortController();
  const taken = await Promise.all(processes.map((held) => held.take(signal)));
  expect(taken).toEqual([{ more: true }, { more: true }]);
  expect(await heldOf([busy])).toEqual([2 * CLAIM]);
  const failed = await store.query(
    'SELECT FROM webhook_turns WHERE failures = 1 AND token IS NOT NULL',
  );
  expect(failed).toHaveLength(1);
  end.reject(new Error('the test is over'));
  for (const held of processes) await held[Symbol.asyncDispose]();
});
