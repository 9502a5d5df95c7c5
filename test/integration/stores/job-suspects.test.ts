import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { JOB_TYPES, type NewJob } from '@sightline/core/jobs/job';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import type { Crash } from '@sightline/core/jobs/job-queue';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { PostgresJobQueue } from '@sightline/postgres/stores/jobs/job-queue';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import { createJob, endItem, imagesJob, killHolders } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const EXPORT: NewJob<'export'> = {
  type: 'export',
  params: { identityIds: null },
  items: [{ input: {} }],
  total: 9,
};

const resources = new AsyncDisposableStack();
let store: StoreFixture;
let home: SeededEnvironment;
let doors: Doors;
let dying: PostgresJobQueue;
let next: PostgresJobQueue;
let other: PostgresJobQueue;

beforeAll(async () => {
  store = resources.use(await openStoreFixture());
  const logger = createLogger({ level: 'silent' });
  doors = new Doors(resources.use(openPools(store.connection, { ...LONG_TIMEOUTS, logger })));
});

beforeEach(async () => {
  await store.query('DELETE FROM jobs');
  await store.query('DELETE FROM job_turns');
  home = await store.environment();
  [dying, next, other] = [doors, doors, doors].map((each) => new PostgresJobQueue(each)) as [
    PostgresJobQueue,
    PostgresJobQueue,
    PostgresJobQueue,
  ];
});

afterAll(() => resources.disposeAsync());

const claim = (queue: PostgresJobQueue, types = JOB_TYPES) => queue.claim(types);

async function claims(queue: PostgresJobQueue, count: number): Promise<readonly ClaimedItem[]> {
  const items: ClaimedItem[] = [];
  for (let i = 0; i < count; i++) items.push((await claim(queue))!);
  return items;
}

const named = (item: ClaimedItem | null) => item && [item.claim.index, item.deaths];

test('items that ran together when their process died run alone, one after the other', async () => {
  await createJob(store, home, imagesJob(5));
  await claims(dying, 3);
  await killHolders(store);
  const first = (await claim(next))!;
  expect(named(first)).toEqual([0, 0]);
  expect(await claim(next)).toBeNull();
  // A process without a suspect goes on with other items, and leaves the other suspects.
  expect(named(await claim(other))).toEqual([3, 0]);
  expect(named(await claim(other))).toEqual([4, 0]);
  expect(await claim(other)).toBeNull();
  await endItem(store, first);
  const second = (await claim(next))!;
  expect(named(second)).toEqual([1, 0]);
  await endItem(store, second);
  expect(named(await claim(next))).toEqual([2, 0]);
});

test('an item that kills every process fails after two deaths that it caused alone, and no bystander fails', async () => {
  await createJob(store, home, imagesJob(4));
  const lethal = 2;
  await claims(dying, 3);
  const ended: unknown[] = [];
  while (ended.length < 4) {
    await killHolders(store);
    const queue = new PostgresJobQueue(doors);
    for (let item = await claim(queue); item !== null; item = await claim(queue)) {
      if (item.claim.index === lethal && item.deaths < 2) break;
      await endItem(store, item);
      ended.push(named(item));
    }
  }
  expect(ended.toSorted()).toEqual([
    [0, 0],
    [1, 0],
    [lethal, 2],
    [3, 0],
  ]);
});

test('a process lets its images end before it runs a suspect', async () => {
  await createJob(store, home, imagesJob(4));
  const running = (await claim(next))!;
  const lost = await claims(dying, 2);
  await killHolders(store);
  await next.renew(running.claim);
  expect(lost).toHaveLength(2);
  expect(await claim(next)).toBeNull();
  // Meanwhile no slot of the process begins anything, whatever its types are.
  await createJob(store, home, EXPORT);
  expect(await claim(next, ['export'])).toBeNull();
  await endItem(store, running);
  expect(named(await claim(next))).toEqual([1, 0]);
});

test('a suspect does not wait for work that takes hours, and a death beside it counts for neither', async () => {
  await createJob(store, home, EXPORT);
  await createJob(store, home, imagesJob(1));
  const long = (await claim(next, ['export']))!;
  await claim(dying, ['reprocess']);
  await killHolders(store);
  await next.renew(long.claim);
  expect(await claim(next)).toMatchObject({ job: { type: 'reprocess' }, deaths: 1 });
  await killHolders(store);
  const suspect = (await claim(other))!;
  expect(suspect).toMatchObject({ job: { type: 'export' }, deaths: 0 });
  await endItem(store, suspect);
  expect(await claim(other)).toMatchObject({ job: { type: 'reprocess' }, deaths: 1 });
});

test('other items begin beside a suspect after its trial, or once it gets further than before', async () => {
  await createJob(store, home, EXPORT);
  await createJob(store, home, imagesJob(2));
  await claim(dying, ['export']);
  await killHolders(store);
  const suspect = (await claim(next))!;
  expect(suspect.job.type).toBe('export');
  expect(await claim(next)).toBeNull();
  await store.query('UPDATE job_items SET alone_until = now() WHERE alone_until > now()');
  expect(named(await claim(next))).toEqual([0, 0]);
  await store.query(`UPDATE job_items SET alone_until = 'infinity' WHERE alone_until IS NOT NULL`);
  expect(await claim(next)).toBeNull();
  await next.report(suspect.claim, { total: 9, done: 1, failed: 0 });
  expect(named(await claim(next))).toEqual([1, 0]);
});

test('an item that crashes processes after its trial runs alone for longer, until its deaths count', async () => {
  await createJob(store, home, imagesJob(3));
  const sixMinutesPass = () =>
    store.query(
      `UPDATE job_items SET alone_until = alone_until - interval '6 minutes' WHERE state = 'running'`,
    );
  const lethal = 0;
  expect(named(await claim(dying))).toEqual([lethal, 0]);
  await killHolders(store);
  expect(named(await claim(next))).toEqual([lethal, 1]);
  await sixMinutesPass();
  expect(named(await claim(next))).toEqual([1, 0]);
  await killHolders(store);
  const bystander = (await claim(other))!;
  expect(named(bystander)).toEqual([1, 0]);
  await endItem(store, bystander);
  expect(named(await claim(other))).toEqual([lethal, 1]);
  await sixMinutesPass();
  expect(await claim(other)).toBeNull();
  await killHolders(store);
  expect(named(await claim(new PostgresJobQueue(doors)))).toEqual([lethal, 2]);
});

test('a death after the trial counts for no item, because an activation may wait for days', async () => {
  await createJob(store, home, EXPORT);
  for (const queue of [dying, next, other]) {
    const item = await claim(queue);
    expect(item!.deaths).toBeLessThan(2);
    await store.query(`UPDATE job_items SET alone_until = alone_until - interval '1 day'`);
    await killHolders(store);
  }
  expect(await claim(new PostgresJobQueue(doors))).toMatchObject({ deaths: 1 });
});

test('an item during which inference crashed runs alone in all processes, and fails after two crashes of its own', async () => {
  await createJob(store, home, imagesJob(4));
  const crash = (item: ClaimedItem | null, kind: Crash = 'inference') =>
    next.release(item!.claim, { pauseMs: 0, crash: kind });
  const [lethal, bystander] = await claims(next, 2);
  const running = (await claim(other))!;
  await crash(lethal!);
  await crash(bystander!);
  // Images of all processes share inference, so all of them end first.
  const third = new PostgresJobQueue(doors);
  expect(await claim(next)).toBeNull();
  expect(await claim(third)).toBeNull();
  await endItem(store, running);
  const trial = await claim(next);
  expect(named(trial)).toEqual([0, 0]);
  expect(await claim(third)).toBeNull();
  await crash(trial, 'inference_alone');
  // Suspects with fewer crashes come first.
  const second = (await claim(next))!;
  expect(named(second)).toEqual([1, 0]);
  await endItem(store, second);
  const again = await claim(third);
  expect(named(again)).toEqual([0, 1]);
  expect(await claim(next)).toBeNull();
  await crash(again, 'inference_alone');
  const last = (await claim(next))!;
  expect(named(last)).toEqual([0, 2]);
  await endItem(store, last);
  expect(named(await claim(new PostgresJobQueue(doors)))).toEqual([3, 0]);
});

test('beside a suspect that may crash inference other processes begin work without images', async () => {
  await createJob(store, home, imagesJob(3));
  const running = (await claim(other))!;
  const suspect = (await claim(next))!;
  await next.release(suspect.claim, { pauseMs: 0, crash: 'inference' });
  const third = new PostgresJobQueue(doors);
  expect(await claim(third)).toBeNull();
  await createJob(store, home, EXPORT);
  expect(await claim(third, ['export'])).toMatchObject({ job: { type: 'export' } });
  expect(await claim(third)).toBeNull();
  await endItem(store, running);
  expect(named(await claim(next))).toEqual([suspect.claim.index, 0]);
  await store.query("UPDATE job_items SET state = 'done' WHERE job_id <> $1", [
    suspect.claim.jobId,
  ]);
  expect(await claim(third)).toBeNull();
  await createJob(store, home, EXPORT);
  expect(await claim(third)).toMatchObject({ job: { type: 'export' } });
  expect(await claim(next, ['export'])).toBeNull();
});

test('a suspect does not wait for an image whose process cannot renew it', async () => {
  await createJob(store, home, imagesJob(3));
  const [stuck] = await claims(other, 2);
  const suspect = (await claim(next))!;
  await next.release(suspect.claim, { pauseMs: 0, crash: 'inference' });
  expect(await claim(next)).toBeNull();
  await store.query(`UPDATE job_items SET lease_until = now() WHERE index = 0`);
  expect(await claim(next)).toBeNull();
  await store.query(`UPDATE job_items SET state = 'done' WHERE index = 1`);
  expect(named(await claim(next))).toEqual([suspect.claim.index, 0]);
  expect(stuck!.claim.index).toBe(0);
});

test('an item whose trial has passed runs alone only in its process after the death of that', async () => {
  await createJob(store, home, imagesJob(3));
  const suspect = (await claim(next))!;
  await next.release(suspect.claim, { pauseMs: 0, crash: 'inference' });
  expect(named(await claim(dying))).toEqual([0, 0]);
  await store.query('UPDATE job_items SET alone_until = now() WHERE alone_until > now()');
  expect(named(await claim(other))).toEqual([1, 0]);
  await killHolders(store);
  await store.query(
    `UPDATE job_items SET lease_until = now() + interval '1 minute' WHERE index = 1`,
  );
  expect(named(await claim(next))).toEqual([0, 1]);
  expect(named(await claim(other))).toEqual([2, 0]);
});

test('crashes of inference beside other images count for no item, however many they are', async () => {
  await createJob(store, home, imagesJob(1));
  for (let crashes = 0; crashes < 4; crashes++) {
    const item = (await claim(next))!;
    expect(named(item)).toEqual([0, 0]);
    await next.release(item.claim, { pauseMs: 0, crash: 'inference' });
  }
});

test('a suspect that its process gives back stays one', async () => {
  await createJob(store, home, imagesJob(3));
  await claims(dying, 2);
  await killHolders(store);
  await next.release((await claim(next))!.claim, { pauseMs: 0 });
  expect(named(await claim(next))).toEqual([0, 0]);
  expect(await claim(next)).toBeNull();
});

test('an item is taken over when its lease has expired by the clock of the database, not earlier', async () => {
  await createJob(store, home, imagesJob(1));
  await claim(dying);
  const [lease] = await store.query<{ seconds: number }>(
    `SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 AS seconds FROM job_items`,
  );
  expect(lease!.seconds).toBeGreaterThan(10);
  expect(lease!.seconds).toBeLessThanOrEqual(25);
  const [end] = await store.query<{ at: string }>(
    `UPDATE job_items SET lease_until = clock_timestamp() + interval '500 ms'
     RETURNING lease_until::text AS at`,
  );
  let taken = await claim(next);
  while (taken === null) {
    await sleep(50);
    taken = await claim(next);
  }
  expect(named(taken)).toEqual([0, 1]);
  const [row] = await store.query('SELECT clock_timestamp() > $1::timestamptz AS over', [end!.at]);
  expect(row).toEqual({ over: true });
});

test('a process with an item whose lease has not expired is not dead', async () => {
  await createJob(store, home, imagesJob(2));
  const [first, second] = await claims(dying, 2);
  await killHolders(store);
  await dying.renew(second!.claim);
  expect(await claim(next)).toBeNull();
  expect(await dying.renew(first!.claim)).toBe('held');
});

test('an item that a live process abandoned returns after two minutes, without a death and as no suspect', async () => {
  await createJob(store, home, imagesJob(3));
  const [abandoned, other] = await claims(dying, 2);
  const expireFor = (duration: string) =>
    store.query(
      `UPDATE job_items SET lease_until = now() - $1::interval WHERE state = 'running' AND index = $2`,
      [duration, abandoned!.claim.index],
    );
  await expireFor('1 minute');
  expect(named(await claim(next))).toEqual([2, 0]);
  await expireFor('3 minutes');
  const queue = new PostgresJobQueue(doors);
  expect(named(await claim(queue))).toEqual([0, 0]);
  expect(await dying.renew(other!.claim)).toBe('held');
  expect(await dying.renew(abandoned!.claim)).toBe('lost');
  await createJob(store, home, imagesJob(1));
  expect(named(await claim(queue))).toEqual([0, 0]);
});
