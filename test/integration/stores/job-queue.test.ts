import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { JOB_TYPES, type JobType, type NewJob } from '@sightline/core/jobs/job';
import type { JobTypeState } from '@sightline/core/jobs/job-queue';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import { createJob, endItem, imagesJob, killHolders } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { withClient } from '../../support/servers/test-server.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  await store.query('DELETE FROM jobs');
  await store.query('DELETE FROM job_turns');
  home = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const claim = (types: readonly JobType[] = JOB_TYPES) => store.jobs.claim(types);

async function claimed(): Promise<ClaimedItem> {
  const item = await claim();
  if (item === null) throw new Error('There is nothing to claim.');
  return item;
}

const job = (id: number) => store.database.withScope(home.scope, (stores) => stores.jobs.byId(id));

const CANCEL = (id: number) =>
  store.database.withEntities({ ...home.scope, locks: [] }, (tx) => tx.jobs.cancel(id));

describe('a claim', () => {
  test('takes the items of a job in their order, each once', async () => {
    const created = await createJob(store, home, imagesJob(2));
    expect(await claim([])).toBeNull();
    expect(await claim(['reembed'])).toBeNull();
    const first = await claimed();
    expect(first).toEqual({
      claim: {
        ...home.scope,
        jobId: created.id,
        index: 0,
        token: expect.any(String),
      },
      job: { ...created, status: 'running' },
      input: { sourceImageId: 1 },
      uploadKey: null,
      deaths: 0,
    });
    expect((await claimed()).claim.index).toBe(1);
    expect(await claim()).toBeNull();
    expect(await job(created.id)).toMatchObject({ status: 'running', done: 0 });
  });

  test('by many at once takes each item once', async () => {
    await createJob(store, home, imagesJob(5));
    await createJob(store, await store.environment(), imagesJob(3));
    const items: (ClaimedItem | null)[] = [];
    const claimAll = async (): Promise<void> => {
      for (let item = await claim(); item !== null; item = await claim()) items.push(item);
    };
    await Promise.all(Array.from({ length: 8 }, claimAll));
    const names = items.map((item) => `${item!.claim.jobId}/${item!.claim.index}`);
    expect(names).toHaveLength(8);
    expect(new Set(names).size).toBe(8);
  });

  test('takes an item over when its lease has expired, before all others', async () => {
    await createJob(store, home, imagesJob(2));
    const lost = await claimed();
    await killHolders(store);
    const found = await claimed();
    expect(found).toMatchObject({ claim: { index: 0 }, deaths: 1 });
    expect(found.claim.token).not.toBe(lost.claim.token);
    expect(await store.jobs.renew(lost.claim)).toBe('lost');
    expect(await store.jobs.renew(found.claim)).toBe('held');
  });

  test('that has expired holds until another process takes it over', async () => {
    await createJob(store, home, imagesJob(1));
    const { claim: held } = await claimed();
    await killHolders(store);
    expect(await store.jobs.renew(held)).toBe('held');
    expect(await claim()).toBeNull();
  });
});

describe('turns', () => {
  test('go round the environments, whatever their jobs have left', async () => {
    const other = await store.environment();
    await createJob(store, home, imagesJob(5));
    const first = await claimed();
    await createJob(store, other, imagesJob(2));
    const next = [await claimed(), await claimed(), await claimed()];
    const environments = [first, ...next].map((item) => item.claim.environmentId);
    const [a, b] = [home.scope.environmentId, other.scope.environmentId];
    expect(environments).toEqual([a, b, a, b]);
  });

  test('are not won by an environment that makes a job per image', async () => {
    const other = await store.environment();
    await createJob(store, home, imagesJob(3));
    const served: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      if (turn % 2 === 0) await createJob(store, other, imagesJob(1));
      const item = await claimed();
      served.push(item.claim.environmentId);
      await endItem(store, item);
    }
    expect(served.filter((id) => id === home.scope.environmentId)).toHaveLength(3);
  });

  test('go round the jobs of an environment', async () => {
    const jobs = [
      await createJob(store, home, imagesJob(3)),
      await createJob(store, home, imagesJob(3)),
    ];
    const items: ClaimedItem[] = [];
    for (let turn = 0; turn < 4; turn++) {
      items.push(await claimed());
      // The pause separates the turns, which are recorded in milliseconds.
      await sleep(2);
    }
    const [a, b] = jobs.map(({ id }) => id);
    expect(items.map((item) => item.claim.jobId)).toEqual([a, b, a, b]);
  });
});

const archive: NewJob<'export'> = {
  type: 'export',
  params: { identityIds: null },
  items: [{ input: {} }],
  total: 9,
};
const upload: NewJob<'import'> = { type: 'import', params: {}, items: [{ input: {} }] };

const author = { accountId: null, keyId: null, requestId: 'request' };
const undo: NewJob<'undo'> = {
  type: 'undo',
  params: { author, operationId: 1, label: null, isStrict: false },
  items: [{ input: {} }],
};
const dismissal: NewJob<'bulk_detections'> = {
  type: 'bulk_detections',
  params: { author, action: 'dismiss', where: {} },
  items: [{ input: { ids: [] } }],
};

test.each([
  ['archives', archive, upload],
  ['decisions', undo, dismissal],
])(
  '%s of an environment come one after the other, and leave room for others',
  async (_, one, next) => {
    const other = await store.environment();
    const first = await createJob(store, home, one);
    const second = await createJob(store, home, next);
    const held = await claimed();
    expect(held.job.id).toBe(first.id);
    expect(await claim()).toBeNull();
    const theirs = await createJob(store, other, next);
    expect((await claimed()).job.id).toBe(theirs.id);
    await createJob(store, home, imagesJob(1));
    expect((await claimed()).job.type).toBe('reprocess');
    await endItem(store, held);
    expect((await claimed()).job.id).toBe(second.id);
  },
);

test('archives of an environment come one after the other, even if two processes claim at once', async () => {
  await createJob(store, home, archive);
  await createJob(store, home, upload);
  await store.query('INSERT INTO job_turns VALUES ($1, now())', [home.scope.environmentId]);
  const waiting = async (): Promise<number> =>
    (await store.query('SELECT FROM pg_locks WHERE NOT granted')).length;
  const claims = await withClient(store.connection, async (client) => {
    // Both claims have to wait for the row, so neither is committed before the other begins.
    await client.query('BEGIN');
    await client.query('SELECT FROM job_turns FOR UPDATE');
    const both = [claim(['export', 'import']), claim(['export', 'import'])];
    for (let polls = 0; polls < 1_000 && (await waiting()) < 2; polls++) await sleep(5);
    await client.query('COMMIT');
    return Promise.all(both);
  });
  expect(claims.filter((item) => item !== null)).toHaveLength(1);
});

test('of a model one download is at work, also if it was cancelled', async () => {
  const download = (modelId: number): NewJob<'model_download'> => ({
    type: 'model_download',
    params: { modelId },
    items: [{ input: {} }],
  });
  const first = await createJob(store, home, download(1));
  const held = await claimed();
  await CANCEL(first.id);
  const second = await createJob(store, await store.environment(), download(1));
  const third = await createJob(store, home, download(2));
  expect((await claimed()).job.id).toBe(third.id);
  expect(await claim()).toBeNull();
  await store.jobs.release(held.claim, { pauseMs: 0 });
  expect((await claimed()).job.id).toBe(second.id);
});

describe('an item that is given back', () => {
  test('waits until its job has rested', async () => {
    const { id } = await createJob(store, home, imagesJob(1));
    const item = await claimed();
    await store.jobs.release(item.claim, { pauseMs: 60_000 });
    expect(await claim()).toBeNull();
    await store.query('UPDATE jobs SET paused_until = now() WHERE id = $1', [id]);
    expect(await claimed()).toMatchObject({ deaths: 0 });
  });

  test('is there at once without a pause, and remembers that a thread died of it', async () => {
    await createJob(store, home, imagesJob(1));
    await store.jobs.release((await claimed()).claim, { pauseMs: 0, crash: 'thread' });
    expect(await claimed()).toMatchObject({ deaths: 1 });
  });

  test('by a process that has lost it stays where it is', async () => {
    await createJob(store, home, imagesJob(1));
    const lost = await claimed();
    await killHolders(store);
    const found = await claimed();
    await store.jobs.release(lost.claim, { pauseMs: 0 });
    expect(await store.jobs.renew(found.claim)).toBe('held');
  });

  test('of a cancelled job fails, and ends the job', async () => {
    const { id } = await createJob(store, home, imagesJob(1));
    const { claim: held } = await claimed();
    await CANCEL(id);
    await store.jobs.release(held, { pauseMs: 0 });
    expect(await job(id)).toMatchObject({
      status: 'failed',
      error: 'cancelled',
      done: 0,
      failed: 1,
    });
    expect(await home.events()).toHaveLength(1);
  });
});

describe('a job that is counted by its work', () => {
  const create = () => createJob(store, home, archive);

  test('has the counters that its work reports, and is not suspected any more', async () => {
    const { id } = await create();
    await claimed();
    await killHolders(store);
    const item = await claimed();
    expect(item.deaths).toBe(1);
    const progress = { total: 10, done: 3, failed: 1 };
    expect(await store.jobs.report(item.claim, progress)).toBe('held');
    expect(await job(id)).toMatchObject({ status: 'running', ...progress });
    await killHolders(store);
    const later = await claimed();
    expect(later).toMatchObject({ deaths: 1, job: progress });
    expect(await store.jobs.report(item.claim, progress)).toBe('lost');
    await CANCEL(id).catch(() => undefined);
    expect(await store.jobs.report(later.claim, progress)).toBe('cancelled');
  });

  test('that dies again where it died before stays suspected, and does not go back', async () => {
    const { id } = await create();
    const progress = { total: 10, done: 3, failed: 1 };
    await store.jobs.report((await claimed()).claim, progress);
    await killHolders(store);
    const again = await claimed();
    for (const done of [0, 3]) {
      expect(await store.jobs.report(again.claim, { ...progress, done })).toBe('held');
      expect(await job(id)).toMatchObject(progress);
    }
    await killHolders(store);
    const third = await claimed();
    expect(third.deaths).toBe(2);
    await store.jobs.report(third.claim, { ...progress, done: 4 });
    await store.jobs.release(third.claim, { pauseMs: 0 });
    expect(await claimed()).toMatchObject({ deaths: 0 });
  });

  test('that ends although it was cancelled is a cancelled one', async () => {
    const { id } = await create();
    const item = await claimed();
    await CANCEL(id);
    await endItem(store, item, { resultsKey: 'late' });
    expect(await job(id)).toMatchObject({ status: 'failed', error: 'cancelled', done: 9 });
    expect(await home.events()).toMatchObject([{ data: { status: 'failed' } }]);
  });

  test.each([
    [{ resultsKey: 'k' }, { status: 'done', done: 9, failed: 0, resultsKey: 'k', error: null }],
    [
      { progress: { total: 12, done: 11, failed: 1 } },
      { status: 'done', total: 12, done: 11, failed: 1 },
    ],
    [
      { error: { code: 'archive_invalid', detail: 'No.' } },
      { status: 'failed', total: 9, done: 0, failed: 9, error: 'No.' },
    ],
    [
      { error: { code: 'cancelled', detail: 'The job was cancelled.' } },
      { status: 'failed', failed: 9, error: 'cancelled' },
    ],
  ])('ends with its item: %j', async (end, expected) => {
    const { id } = await create();
    await endItem(store, await claimed(), end);
    expect(await job(id)).toMatchObject(expected);
    expect(await home.events()).toHaveLength(1);
  });
});

describe('the state of all jobs', () => {
  test('counts by type, and shows for how long nothing has moved', async () => {
    expect(await store.jobs.state()).toEqual({ unfinished: [] });
    await createJob(store, home, imagesJob(2));
    const { id } = await createJob(store, await store.environment(), imagesJob(3));
    await store.query(`UPDATE jobs SET moved_at = now() - interval '6 minutes' WHERE id = $1`, [
      id,
    ]);
    await createJob(store, home, imagesJob(0));
    const { unfinished } = await store.jobs.state();
    expect(unfinished).toEqual([
      {
        type: 'reprocess',
        jobs: 2,
        total: 5,
        done: 0,
        failed: 0,
        stillSeconds: expect.any(Number),
        waitingSeconds: 0,
      },
    ]);
    expect(Math.round(unfinished[0]!.stillSeconds / 60)).toBe(6);
    await store.query('UPDATE jobs SET paused_until = now() WHERE id = $1', [id]);
    const [{ stillSeconds, waitingSeconds }] = (await store.jobs.state()).unfinished as [
      JobTypeState,
    ];
    expect(stillSeconds).toBeLessThan(300);
    expect(Math.round(waitingSeconds / 60)).toBe(6);
  });

  test('does not tell of a job that waits while another one of its environment moves', async () => {
    const [first, next] = [
      await createJob(store, home, imagesJob(2)),
      await createJob(store, home, imagesJob(1)),
    ];
    const stand = (id: number) =>
      store.query(
        `UPDATE jobs SET moved_at = now() - interval '6 minutes',
           served_at = served_at - interval '6 minutes' WHERE id = $1`,
        [id],
      );
    const still = async () => (await store.jobs.state()).unfinished[0]!.stillSeconds;
    await claimed();
    await stand(next.id);
    expect(await still()).toBeLessThan(300);
    await stand(first.id);
    expect(await still()).toBeGreaterThan(300);
  });
});

describe('pruning', () => {
  test('removes the results of jobs that ended a week ago, and names their files', async () => {
    const { id } = await createJob(store, home, imagesJob(1));
    await endItem(store, await claimed(), { result: {}, resultsKey: 'archive' });
    const fresh = await createJob(store, home, imagesJob(1));
    await endItem(store, await claimed());
    expect(await store.jobs.pruneResults()).toEqual([]);
    await store.query(`UPDATE jobs SET finished_at = now() - interval '8 days' WHERE id = $1`, [
      id,
    ]);
    expect(await job(id)).toMatchObject({ hasResults: false });
    expect(await store.jobs.pruneResults()).toEqual(['archive']);
    expect(await store.query('SELECT job_id AS id FROM job_items')).toEqual([{ id: fresh.id }]);
    expect(await job(id)).toMatchObject({ status: 'done', resultsKey: null, hasResults: false });
    expect(await job(fresh.id)).toMatchObject({ hasResults: true });
    expect(await store.jobs.pruneResults()).toEqual([]);
  });
});
