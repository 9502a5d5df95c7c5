import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Job, ReembedParams } from '@sightline/core/jobs/job';
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

const create = (faces: ReembedParams['faces'] = 'all'): Promise<Job> => {
  const params = { modelId: store.faceModelId, faces };
  const { environmentId } = home.scope;
  return store.jobs.create({ environmentId, type: 'reembed', params, total: 3 });
};

/** As a newer version of the service does. */
const createUnknown = (): Promise<unknown> =>
  store.query(
    `INSERT INTO jobs (environment_id, type, status, params, total)
     VALUES ($1, 'of a newer version', 'pending', '{}', 1)`,
    [home.scope.environmentId],
  );

const endLease = (id: number): Promise<unknown> =>
  store.query(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);

test('a new job is pending, with its parameters', async () => {
  const job = await create('enrolled');
  expect(job).toEqual({
    id: expect.any(Number),
    environmentId: home.scope.environmentId,
    type: 'reembed',
    status: 'pending',
    total: 3,
    done: 0,
    failed: 0,
    params: { modelId: store.faceModelId, faces: 'enrolled' },
    error: null,
    createdAt: expect.any(Date),
    finishedAt: null,
  });
  await createUnknown();
  expect(await store.jobs.unfinished(['reembed'])).toEqual([job]);
  expect(await store.jobs.unfinished([])).toEqual([]);
});

describe('claiming', () => {
  test('claims the oldest job of the types, and each once', async () => {
    const first = await create();
    await createUnknown();
    const third = await create();
    expect(await store.jobs.claim([])).toBeNull();
    const claimed = await store.jobs.claim(['reembed']);
    expect(claimed).toEqual({ ...first, status: 'running', token: expect.any(String) });
    expect((await store.jobs.claim(['reembed']))?.id).toBe(third.id);
    expect(await store.jobs.claim(['reembed'])).toBeNull();
    expect(await store.jobs.unfinished(['reembed'])).toHaveLength(2);
  });

  test('by many at once takes each job once', async () => {
    const jobs = await Promise.all(Array.from({ length: 4 }, () => create()));
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => store.jobs.claim(['reembed'])),
    );
    const ids = claims.flatMap((claim) => claim?.id ?? []);
    expect(ids.sort((a, b) => a - b)).toEqual(jobs.map(({ id }) => id).sort((a, b) => a - b));
  });

  test('takes a job over when its lease has expired', async () => {
    await create();
    const first = (await store.jobs.claim(['reembed']))!;
    await store.jobs.report(first, { total: 3, done: 1, failed: 0 });
    expect(await store.jobs.claim(['reembed'])).toBeNull();
    await endLease(first.id);
    const second = (await store.jobs.claim(['reembed']))!;
    expect(second).toMatchObject({ id: first.id, done: 1 });
    expect(second.token).not.toBe(first.token);
    expect(await store.jobs.report(first, { total: 3, done: 2, failed: 0 })).toBe(false);
    const end = { total: 3, done: 3, failed: 0, error: null };
    expect(await store.jobs.finish(first, end)).toBe(false);
    expect(await home.events()).toEqual([]);
    expect(await store.jobs.finish(second, end)).toBe(true);
  });
});

test('a report stores the progress and renews the lease', async () => {
  await create();
  const job = (await store.jobs.claim(['reembed']))!;
  await endLease(job.id);
  // No other process has taken it over.
  expect(await store.jobs.report(job, { total: 5, done: 2, failed: 1 })).toBe(true);
  expect(await store.jobs.claim(['reembed'])).toBeNull();
  const [kept] = await store.jobs.unfinished(['reembed']);
  expect(kept).toMatchObject({ status: 'running', total: 5, done: 2, failed: 1 });
});

describe('finishing', () => {
  test.each([
    [null, 'done'],
    ['The model is gone.', 'failed'],
  ] as const)('with the error %j is announced as %s, once', async (error, status) => {
    const { id } = await create();
    const job = (await store.jobs.claim(['reembed']))!;
    const end = { total: 3, done: 2, failed: 1 };
    expect(await store.jobs.finish(job, { ...end, error })).toBe(true);
    expect(await store.jobs.finish(job, { ...end, error })).toBe(false);
    expect(await store.jobs.report(job, end)).toBe(false);
    expect(await store.jobs.unfinished(['reembed'])).toEqual([]);
    expect(await store.jobs.claim(['reembed'])).toBeNull();
    expect(await home.events()).toEqual([
      { event: 'job.done', data: { job_id: id, type: 'reembed', status, ...end } },
    ]);
    const [row] = await store.query<object>(
      'SELECT status, error, finished_at, lease_until, token FROM jobs WHERE id = $1',
      [id],
    );
    expect(row).toEqual({
      status,
      error,
      finished_at: expect.any(Date),
      lease_until: null,
      token: null,
    });
  });
});
