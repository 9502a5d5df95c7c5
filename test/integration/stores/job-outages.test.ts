import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { JOB_TYPES } from '@sightline/core/jobs/job';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { type JobDoors, PostgresJobQueue } from '@sightline/postgres/stores/jobs/job-queue';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import { endItemLeases } from '../../support/fixtures/end-leases.ts';
import { createJob, imagesJob } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

/** A time in ms within which a running process releases its items. */
const A_WHILE_MS = 6_000;

const resources = new AsyncDisposableStack();
let store: StoreFixture;
let home: SeededEnvironment;
let queue: PostgresJobQueue;
/**
 * Whether all statements fail before they reach the database, or claims fail before their answer: `after` they were
 * committed, or before they are committed `late`.
 */
let broken: 'before' | 'after' | 'late' | null;
let commitLate: () => Promise<unknown>;

beforeAll(async () => {
  store = resources.use(await openStoreFixture());
  const logger = createLogger({ level: 'silent' });
  const doors = new Doors(resources.use(openPools(store.connection, { ...LONG_TIMEOUTS, logger })));
  queue = new PostgresJobQueue(breakable(doors));
});

beforeEach(async () => {
  broken = null;
  await store.query('DELETE FROM jobs');
  home = await store.environment();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => resources.disposeAsync());

function breakable(doors: Doors): JobDoors {
  const requireAvailable = (): void => {
    if (broken === 'before') throw new StoreUnavailable('The database is away.');
  };
  return {
    onPlatform: async (...args) => {
      requireAvailable();
      return doors.onPlatform(...args);
    },
    withPlatform: async (...args) => {
      requireAvailable();
      commitLate = () => doors.withPlatform(...args);
      const result = broken === 'late' ? null : await doors.withPlatform(...args);
      if (broken !== null) throw new StoreUnavailable('The answer was lost.');
      return result as Awaited<ReturnType<(typeof args)[1]>>;
    },
  };
}

const claim = () => queue.claim(JOB_TYPES.filter((type) => type !== 'reembed'));

async function loseAnswer(how: 'after' | 'late' = 'after'): Promise<void> {
  broken = how;
  await expect(claim()).rejects.toThrow(StoreUnavailable);
  broken = null;
}

/** Moves the clock of the process forward. */
function passTime(milliseconds: number): void {
  const then = performance.now() + milliseconds;
  jest.spyOn(performance, 'now').mockReturnValue(then);
}

test('a claim whose answer was lost is given back, and counts as no death', async () => {
  await createJob(store, home, imagesJob(1));
  await loseAnswer();
  broken = 'before';
  await expect(claim()).rejects.toThrow(StoreUnavailable);
  broken = null;
  const item = await claim();
  expect(item).toMatchObject({ claim: { index: 0 }, deaths: 0 });
  expect(await claim()).toBeNull();
  expect(await queue.renew(item!.claim)).toBe('held');
});

test('a claim that is committed only after the next one is given back, too', async () => {
  await createJob(store, home, imagesJob(2));
  await loseAnswer('late');
  const commit = commitLate;
  expect(await claim()).toMatchObject({ claim: { index: 0 } });
  await commit();
  expect(await claim()).toMatchObject({ claim: { index: 1 }, deaths: 0 });
  expect(await claim()).toBeNull();
});

test('one of a job that was cancelled meanwhile ends it', async () => {
  const { id } = await createJob(store, home, imagesJob(1));
  await loseAnswer();
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) => tx.jobs.cancel(id));
  expect(await claim()).toBeNull();
  const jobs = await store.query('SELECT status, error, failed FROM jobs WHERE id = $1', [id]);
  expect(jobs).toEqual([{ status: 'failed', error: 'cancelled', failed: 1 }]);
});

test('after an outage those that could not renew what they hold give it back first', async () => {
  await createJob(store, home, imagesJob(1));
  const held = await claim();
  await endItemLeases(store);
  broken = 'before';
  await expect(queue.renew(held!.claim)).rejects.toThrow(StoreUnavailable);
  broken = null;
  expect(await claim()).toBeNull();
  await queue.release(held!.claim, { pauseMs: 0 });
  expect(await claim()).toMatchObject({ deaths: 0 });
});

test('some time after an outage, a claim that was not given back counts as that of a dead process', async () => {
  await createJob(store, home, imagesJob(1));
  await claim();
  await endItemLeases(store);
  broken = 'before';
  await expect(claim()).rejects.toThrow(StoreUnavailable);
  broken = null;
  passTime(A_WHILE_MS);
  expect(await claim()).toMatchObject({ deaths: 1 });
});
