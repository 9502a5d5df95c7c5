import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ALL_DONE } from '@sightline/background/tasks/background-task';
import { leaderTask, type LeaderTask } from '@sightline/background/tasks/leader-task';
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

interface TaskOptions {
  readonly everyMs?: number;
  readonly work?: () => Promise<{ readonly more: boolean }>;
}

function taskOf(holder: string, { everyMs = HOUR_MS, work }: TaskOptions = {}): LeaderTask {
  const run = () => {
    ran.push(holder);
    return work?.() ?? Promise.resolve(ALL_DONE);
  };
  return leaderTask({ name: 'tidy', everyMs, run }, { leases: store.leases, holder });
}

const { signal } = new AbortController();

async function secondsHeld(): Promise<number> {
  const [row] = await store.query<{ seconds: number }>(
    `SELECT extract(epoch FROM held_until - clock_timestamp())::float8 AS seconds FROM leases`,
  );
  return row!.seconds;
}

test('an hourly task runs once, in one process, whose lease lasts for half a minute', async () => {
  const [first, second] = [taskOf('first'), taskOf('second')];
  for (let i = 0; i < 3; i++) {
    expect(await first.run(signal)).toEqual(ALL_DONE);
    expect(await second.run(signal)).toEqual(ALL_DONE);
  }
  expect(ran).toEqual(['first']);
  expect(await secondsHeld()).toBeLessThanOrEqual(30);
  expect(first.everyMs).toBeLessThanOrEqual(10_000);
});

test('when the lease has expired, another process runs the task and the first one does not', async () => {
  const [first, second] = [taskOf('first'), taskOf('second')];
  await first.run(signal);
  await store.query(`UPDATE leases SET held_until = now() - interval '1 second'`);
  await second.run(signal);
  await first.run(signal);
  expect(ran).toEqual(['first', 'second']);
  await second.release();
  await first.run(signal);
  expect(ran).toEqual(['first', 'second', 'first']);
});

test('a task with more to do runs again at once, and one that failed is retried', async () => {
  const answers = [{ more: true }, new Error('the disk'), ALL_DONE];
  const work = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return Promise.resolve(answer);
  };
  const task = taskOf('first', { work });
  expect(await task.run(signal)).toEqual({ more: true });
  await expect(task.run(signal)).rejects.toThrow('the disk');
  expect(await task.run(signal)).toEqual(ALL_DONE);
  await task.run(signal);
  expect(ran).toHaveLength(3);
});

test('a task is due again after its interval', async () => {
  const task = taskOf('first', { everyMs: 200 });
  while (ran.length < 3) {
    await task.run(signal);
    await sleep(10);
  }
  expect(ran).toEqual(['first', 'first', 'first']);
});

test('the lease is renewed while the task runs', async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const long = taskOf('first', { everyMs: 300, work: () => ended.then(() => ALL_DONE) });
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
