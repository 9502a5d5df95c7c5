import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_UNFINISHED_JOBS } from '@sightline/core/jobs/job';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import type { JobReader, JobWriter } from '@sightline/core/jobs/job-store';
import { createJob, endItem, killHolders, imagesJob } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  await store.query('DELETE FROM jobs');
  home = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

async function claimed(): Promise<ClaimedItem> {
  return (await store.jobs.claim(['reprocess', 'bulk_detect', 'export']))!;
}

const read = <T>(from: (jobs: JobReader) => Promise<T>) =>
  store.database.withScope(home.scope, ({ jobs }) => from(jobs));

const write = <T>(to: (jobs: JobReader & JobWriter) => Promise<T>, { scope } = home) =>
  store.database.withEntities({ ...scope, locks: [] }, ({ jobs }) => to(jobs));

const cancel = (id: number) => write((jobs) => jobs.cancel(id));

const bulk = (uploads: readonly string[]) =>
  createJob(store, home, {
    type: 'bulk_detect',
    params: { types: 'faces', replace: true },
    items: uploads.map((uploadKey) => ({
      // Postgres' type `jsonb` refuses this character.
      input: {
        name: { filename: 'a\u0000.jpg' },
        externalRef: null,
        imageUrl: null,
        refusal: null,
      },
      uploadKey,
    })),
  });

const doneEvent = (id: number, counts: object) => ({
  event: 'job.done',
  data: { job_id: id, type: 'reprocess', ...counts },
});

describe('a new job', () => {
  test('is pending, with its items', async () => {
    const job = await bulk(['key 1', 'key 2']);
    expect(job).toEqual({
      id: expect.any(Number),
      ...home.scope,
      type: 'bulk_detect',
      status: 'pending',
      total: 2,
      done: 0,
      failed: 0,
      params: { types: 'faces', replace: true },
      error: null,
      hasResults: false,
      resultsKey: null,
      operationId: null,
      workedTo: null,
      createdAt: expect.any(Date),
      finishedAt: null,
    });
    expect(await read((jobs) => jobs.byId(job.id))).toEqual(job);
    expect(await claimed()).toMatchObject({
      uploadKey: 'key 1',
      input: {
        name: { filename: 'a\u0000.jpg' },
        externalRef: null,
        imageUrl: null,
        refusal: null,
      },
    });
    expect(await home.events()).toEqual([]);
  });

  test('without items has ended', async () => {
    const { id } = await createJob(store, home, imagesJob(0));
    const counts = { status: 'done', total: 0, done: 0, failed: 0 };
    expect(await read((jobs) => jobs.byId(id))).toMatchObject({ ...counts, hasResults: true });
    expect(await home.events()).toEqual([doneEvent(id, counts)]);
  });

  test('is one too many behind a hundred unfinished ones, also of those that come at once', async () => {
    for (let i = 2; i < MAX_UNFINISHED_JOBS; i++) await createJob(store, home, imagesJob(1));
    const last = await Promise.allSettled(
      Array.from({ length: 4 }, () => createJob(store, home, imagesJob(1))),
    );
    const refused = last.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused).toMatchObject([{ reason: { code: 'too_many_jobs' } }, {}]);
    // Other environments have room in the queue. This environment has room again after a job has
    // ended.
    await createJob(store, await store.environment(), imagesJob(1));
    await endItem(store, await claimed());
    await createJob(store, home, imagesJob(1));
  });

  test('does not exist if its transaction fails', async () => {
    const failing = write(async (jobs) => {
      await jobs.create(imagesJob(1));
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect(await store.query('SELECT FROM jobs')).toEqual([]);
  });
});

test('jobs are listed newest first, and by pages', async () => {
  const ids: number[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await createJob(store, home, imagesJob(1))).id);
  await createJob(store, await store.environment(), imagesJob(1));
  const all = await read((jobs) => jobs.list({ before: null, limit: 3 }));
  expect(all).toMatchObject({ items: ids.map((id) => ({ id })), hasMore: false });
  const page = await read((jobs) => jobs.list({ before: ids[0]!, limit: 1 }));
  expect(page).toMatchObject({ items: [{ id: ids[1] }], hasMore: true });
});

test('a claim takes no item of an excepted environment', async () => {
  const other = await store.environment();
  await bulk(['key 1', 'key 2']);
  await createJob(store, other, imagesJob(1));
  const environment = async (except: readonly number[]) =>
    (await store.jobs.claim(['bulk_detect', 'reprocess'], except))?.job.environmentId;
  const [ours, theirs] = [home, other].map(({ scope }) => scope.environmentId);
  expect(await environment([ours!])).toBe(theirs);
  expect(await environment([ours!])).toBeUndefined();
  expect(await environment([theirs!])).toBe(ours);
});

describe('the end of an item', () => {
  test('moves the counters; the last one ends the job, with one event', async () => {
    const { id } = await createJob(store, home, imagesJob(2));
    await endItem(store, await claimed(), { result: { index: 0 } });
    expect(await read((jobs) => jobs.byId(id))).toMatchObject({
      status: 'running',
      done: 1,
      hasResults: false,
    });
    expect(await home.events()).toEqual([]);
    await endItem(store, await claimed(), { error: { code: 'not_found', detail: 'Gone.' } });
    const counts = { status: 'done', total: 2, done: 1, failed: 1 };
    expect(await read((jobs) => jobs.byId(id))).toMatchObject({
      ...counts,
      error: null,
      hasResults: true,
      finishedAt: expect.any(Date),
    });
    expect(await home.events()).toEqual([doneEvent(id, counts)]);
    expect(await read((jobs) => jobs.endedItems(id, { after: -1, limit: 9 }))).toEqual([
      { index: 0, input: { sourceImageId: 1 }, result: { index: 0 }, error: null },
      {
        index: 1,
        input: { sourceImageId: 2 },
        result: null,
        error: { code: 'not_found', detail: 'Gone.' },
      },
    ]);
    const [last] = await read((jobs) => jobs.endedItems(id, { after: 0, limit: 1 }));
    expect(last?.index).toBe(1);
    expect(await store.maintenance.contradictions()).toEqual([]);
  });

  test('by eight at once ends the job once', async () => {
    const { id } = await createJob(store, home, imagesJob(8));
    const items: ClaimedItem[] = [];
    for (let i = 0; i < 8; i++) items.push(await claimed());
    await Promise.all(items.map((item) => endItem(store, item)));
    const counts = { status: 'done', total: 8, done: 8, failed: 0 };
    expect(await home.events()).toEqual([doneEvent(id, counts)]);
    expect(await read((jobs) => jobs.byId(id))).toMatchObject(counts);
  });

  test('by a process that has lost it applies nothing', async () => {
    const { id } = await createJob(store, home, imagesJob(1));
    const paused = await claimed();
    await killHolders(store);
    const other = await claimed();
    const effect = store.database.withEntities({ ...home.scope, locks: [] }, async (tx) => {
      await tx.settings.put('face.match_threshold', 0.9);
      await tx.jobs.endItem(paused.claim, { result: {} });
    });
    await expect(effect).rejects.toMatchObject({ name: 'ClaimLost' });
    expect(await store.query('SELECT FROM environment_settings')).toEqual([]);
    expect(await read((jobs) => jobs.byId(id))).toMatchObject({ status: 'running', done: 0 });
    await endItem(store, other);
    await expect(endItem(store, other)).rejects.toMatchObject({ name: 'ClaimLost' });
    expect(await read((jobs) => jobs.byId(id))).toMatchObject({ status: 'done', done: 1 });
    expect(await home.events()).toHaveLength(1);
  });

  test('in another environment is none', async () => {
    await createJob(store, home, imagesJob(1));
    const { claim } = await claimed();
    const { scope } = await store.environment();
    const ending = write((jobs) => jobs.endItem({ ...claim, ...scope }, {}), { scope } as never);
    await expect(ending).rejects.toMatchObject({ name: 'ClaimLost' });
  });

  test('takes the row of its upload along', async () => {
    await bulk(['one', 'two']);
    await endItem(store, await claimed());
    const keys = await store.query('SELECT upload_key AS key FROM job_items ORDER BY index');
    expect(keys).toEqual([{ key: null }, { key: 'two' }]);
  });
});

describe('the upload of a failed item', () => {
  const FAILED = { error: { code: 'image_corrupt', detail: 'No.' } };

  test('is kept until the job is removed', async () => {
    const { id } = await bulk(['one', 'two']);
    await endItem(store, await claimed(), FAILED);
    await endItem(store, await claimed());
    expect(await store.jobs.pruneResults()).toEqual([]);
    expect(await store.maintenance.orphans(['one', 'two'])).toEqual(['two']);
    expect(await write((jobs) => jobs.remove(id))).toEqual({ files: ['one'] });
  });

  test('is removed with the results of the job', async () => {
    const { id } = await bulk(['one', 'two', 'three']);
    await endItem(store, await claimed(), FAILED);
    await endItem(store, await claimed());
    await endItem(store, await claimed(), FAILED);
    await store.query(`UPDATE jobs SET finished_at = now() - interval '8 days' WHERE id = $1`, [
      id,
    ]);
    expect((await store.jobs.pruneResults()).toSorted()).toEqual(['one', 'three']);
    expect(await store.query('SELECT FROM job_items')).toEqual([]);
  });

  test('is removed if the job was cancelled', async () => {
    await bulk(['one']);
    await endItem(store, await claimed(), { error: { code: 'cancelled', detail: 'No.' } });
    expect(await store.query('SELECT upload_key AS key FROM job_items')).toEqual([{ key: null }]);
  });
});

describe('a cancellation', () => {
  test('ends a pending job at once, and names its uploads', async () => {
    const { id } = await bulk(['one', 'two']);
    const { job, files } = await cancel(id);
    expect(files).toEqual(['one', 'two']);
    expect(job).toMatchObject({
      status: 'failed',
      error: 'cancelled',
      total: 2,
      done: 0,
      failed: 2,
      finishedAt: expect.any(Date),
    });
    expect(await home.events()).toHaveLength(1);
    expect(await claimed()).toBeNull();
    expect(await read((jobs) => jobs.endedItems(id, { after: -1, limit: 9 }))).toMatchObject([
      { error: { code: 'cancelled' } },
      { error: { code: 'cancelled' } },
    ]);
    await expect(cancel(id)).rejects.toMatchObject({ code: 'job_finished' });
    expect(await store.maintenance.contradictions()).toEqual([]);
  });

  test('lets what is at work end, and the job with it', async () => {
    const { id } = await createJob(store, home, imagesJob(4));
    await endItem(store, await claimed());
    const atWork = await claimed();
    const died = await claimed();
    await store.query(
      `UPDATE job_items SET lease_until = now() - interval '1 second' WHERE index = 2`,
    );
    const { job } = await cancel(id);
    expect(job).toMatchObject({ status: 'running', error: 'cancelled', done: 1, failed: 2 });
    expect(await home.events()).toEqual([]);
    expect(await store.jobs.renew(died.claim)).toBe('lost');
    expect(await store.jobs.renew(atWork.claim)).toBe('cancelled');
    await endItem(store, atWork);
    const counts = { status: 'failed', total: 4, done: 2, failed: 2 };
    expect(await home.events()).toEqual([doneEvent(id, counts)]);
    expect(await read((jobs) => jobs.byId(id))).toMatchObject({ ...counts, error: 'cancelled' });
  });

  test('of a job that is counted by its work fails all that is left of it', async () => {
    const { id } = await createJob(store, home, {
      type: 'export',
      params: { identityIds: null },
      items: [{ input: {} }],
      total: 7,
    });
    const { job } = await cancel(id);
    expect(job).toMatchObject({ status: 'failed', total: 7, done: 0, failed: 7 });
  });

  test('and the last ends at once leave a job that has ended once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createJob(store, home, imagesJob(3));
      const items = [await claimed(), await claimed()];
      const done = items.map((item) => endItem(store, item));
      await Promise.all([...done, cancel(id)]);
      const job = await read((jobs) => jobs.byId(id));
      expect(job).toMatchObject({ status: 'failed', total: 3, done: 2, failed: 1 });
      expect(await home.events()).toHaveLength(1);
    }
  });
});

describe('a removal', () => {
  test('takes a job that has ended, with its results', async () => {
    const { id } = await createJob(store, home, imagesJob(1));
    await expect(write((jobs) => jobs.remove(id))).rejects.toMatchObject({
      code: 'job_unfinished',
    });
    const item = await claimed();
    await expect(write((jobs) => jobs.remove(id))).rejects.toMatchObject({
      code: 'job_unfinished',
    });
    await endItem(store, item, { resultsKey: 'archive' });
    expect(await write((jobs) => jobs.remove(id))).toEqual({ files: ['archive'] });
    expect(await store.query('SELECT FROM job_items')).toEqual([]);
    expect(await read((jobs) => jobs.byId(id))).toBeNull();
  });

  test('and a cancellation know no jobs of others', async () => {
    const other = await store.environment();
    const { id } = await createJob(store, other, imagesJob(1));
    for (const change of [cancel(id), write((jobs) => jobs.remove(id))]) {
      await expect(change).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await read((jobs) => jobs.byId(id))).toBeNull();
    expect(await read((jobs) => jobs.endedItems(id, { after: -1, limit: 9 }))).toEqual([]);
  });
});
