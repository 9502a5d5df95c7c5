import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ALL_DONE } from '@sightline/worker/background-task';
import { onceForAll, type SharedChore } from '@sightline/worker/once-for-all';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const HOUR_MS = 3_600_000;

let store: StoreFixture;
let ran: string[];

beforeEach(async () => {
  store = await openStoreFixture();
  ran = [];
});

afterEach(async () => {
  await store[Symbol.asyncDispose]();
});

interface Chore {
  readonly everyMs?: number;
  readonly work?: () => Promise<{ readonly more: boolean }>;
}

function choreOf(holder: string, { everyMs = HOUR_MS, work }: Chore = {}): SharedChore {
  const run = () => {
    ran.push(holder);
    return work?.() ?? Promise.resolve(ALL_DONE);
  };
  return onceForAll({ name: 'tidy', everyMs, run }, { leases: store.leases, holder });
}

const { signal } = new AbortController();

async function secondsHeld(): Promise<number> {
  const [row] = await store.query<{ seconds: number }>(
    `SELECT extract(epoch FROM held_until - clock_timestamp())::float8 AS seconds FROM leases`,
  );
  return row!.seconds;
}

test('an hourly chore is done by one process, once, whose lease lasts for half a minute', async () => {
  const [first, second] = [choreOf('first'), choreOf('second')];
  for (let i = 0; i < 3; i++) {
    expect(await first.run(signal)).toEqual(ALL_DONE);
    expect(await second.run(signal)).toEqual(ALL_DONE);
  }
  expect(ran).toEqual(['first']);
  expect(await secondsHeld()).toBeLessThanOrEqual(30);
  expect(first.everyMs).toBeLessThanOrEqual(10_000);
});

test('when its lease has run out another process does it, and the first one leaves it at that', async () => {
  const [first, second] = [choreOf('first'), choreOf('second')];
  await first.run(signal);
  await store.query(`UPDATE leases SET held_until = now() - interval '1 second'`);
  await second.run(signal);
  await first.run(signal);
  expect(ran).toEqual(['first', 'second']);
  await second.release();
  await first.run(signal);
  expect(ran).toEqual(['first', 'second', 'first']);
});

test('one that asks for more goes on at once, and one that failed is tried again', async () => {
  const answers = [{ more: true }, new Error('the disk'), ALL_DONE];
  const work = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return Promise.resolve(answer);
  };
  const chore = choreOf('first', { work });
  expect(await chore.run(signal)).toEqual({ more: true });
  await expect(chore.run(signal)).rejects.toThrow('the disk');
  expect(await chore.run(signal)).toEqual(ALL_DONE);
  await chore.run(signal);
  expect(ran).toHaveLength(3);
});

test('a chore is due again after its rest', async () => {
  const chore = choreOf('first', { everyMs: 200 });
  while (ran.length < 3) {
    await chore.run(signal);
    await sleep(10);
  }
  expect(ran).toEqual(['first', 'first', 'first']);
});

test('a lease is prolonged while the chore is under way', async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const long = choreOf('first', { everyMs: 300, work: () => ended.then(() => ALL_DONE) });
  const running = long.run(signal);
  while (ran.length === 0) await sleep(5);
  const heldUntil = async () =>
    (await store.query<{ until: Date }>('SELECT held_until AS until FROM leases'))[0]!.until;
  const before = await heldUntil();
  while ((await heldUntil()).getTime() <= before.getTime()) await sleep(20);
  end();
  await running;
  expect(ran).toEqual(['first']);
});
