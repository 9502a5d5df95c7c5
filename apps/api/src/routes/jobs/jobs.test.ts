import { randomUUID } from 'node:crypto';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { digestOf } from '@sightline/core/media/digest-of';
import { mediaKey } from '@sightline/core/media/media-key';
import { JOB_TYPES, type Job, type NewJob } from '@sightline/core/jobs/job';
import type { ClaimedItem, ItemEnd } from '@sightline/core/jobs/job-item';
import type { Scope } from '@sightline/core/store/scope';
import { createJob, endItem, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

let api: ApiServer;
let scope: Scope;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});

beforeEach(async () => {
  await api.reset();
  scope = { environmentId: (await api.stores.keys.environment(api.environment)).id };
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => api[Symbol.asyncDispose]());

const SOME = expect.any(Number);

const create = (job: NewJob): Promise<Job> => createJob(api.stores, { scope }, job);

/** Claims an item of this environment. Ends items that earlier tests have left unfinished. */
async function claimed(): Promise<ClaimedItem> {
  for (;;) {
    const item = (await api.stores.jobs.claim(JOB_TYPES))!;
    if (item.claim.environmentId === scope.environmentId) return item;
    await endItem(api.stores, item);
  }
}

/** Creates a job, and ends its items with these results. */
async function ended(job: NewJob, ends: readonly ItemEnd[]): Promise<Job> {
  const created = await create(job);
  for (const end of ends) await endItem(api.stores, await claimed(), end);
  return created;
}

const archive: NewJob<'export'> = {
  type: 'export',
  params: { identityIds: null },
  items: [{ input: {} }],
  total: 3,
};

async function exported(bytes: Uint8Array): Promise<Job> {
  const content = { digest: digestOf(bytes), extension: 'zip' };
  const resultsKey = mediaKey(scope.environmentId, 'archives', content);
  await api.media.put(resultsKey, bytes);
  return ended(archive, [{ resultsKey }]);
}

describe('GET /api/jobs', () => {
  test('lists jobs with their progress, newest first', async () => {
    const first = await create(imagesJob(3));
    const second = await create(archive);
    await endItem(api.stores, await claimed());
    const { body } = await api.client.listJobs();
    const { created_at } = body!.items[1]!;
    expect(body).toEqual({
      items: [
        expect.objectContaining({ id: second.id, type: 'export', status: 'pending', total: 3 }),
        {
          id: first.id,
          type: 'reprocess',
          status: 'running',
          total: 3,
          unit: 'images',
          done: 1,
          failed: 0,
          error: null,
          results_url: null,
          operation_id: null,
          created_at,
          finished_at: null,
        },
      ],
      next_cursor: null,
      has_more: false,
    });
    const job = await api.client.getJob({ path: { id: first.id } });
    expect(job.body).toEqual(body!.items[1]);
  });

  test('in pages, if a limit is given', async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift((await create(imagesJob(1))).id);
    const first = await api.client.listJobs({ query: { limit: 2 } });
    expect(first.body!.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const cursor = first.body!.next_cursor!;
    const rest = await api.client.listJobs({ query: { limit: 2, cursor } });
    expect(rest.body).toMatchObject({
      items: [{ id: ids[2] }],
      next_cursor: null,
      has_more: false,
    });
    const { problem } = await api.client.listJobs({ query: { cursor: 'x' } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

test('GET /api/jobs filters by type and status', async () => {
  const waiting = await create(imagesJob(1));
  const reprocessed = await create(imagesJob(0));
  const exported = await create(archive);
  const listed = async (query: Parameters<typeof api.client.listJobs>[0]) =>
    (await api.client.listJobs(query)).body!.items.map(({ id }) => id);
  expect(await listed({ query: { type: 'reprocess' } })).toEqual([reprocessed.id, waiting.id]);
  expect(await listed({ query: { status: 'pending' } })).toEqual([exported.id, waiting.id]);
  expect(await listed({ query: { type: 'reprocess', status: 'done' } })).toEqual([reprocessed.id]);
  const { problem } = await api.client.listJobs({ query: { status: 'lost' as never } });
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
});

type ItemQuery = NonNullable<Parameters<ApiServer['client']['listJobItems']>[0]>['query'];

describe('GET /api/jobs/{id}/items', () => {
  const name = { filename: 'a.jpg' };
  const input = { name, externalRef: null, imageUrl: null, refusal: null };
  const posted: NewJob<'bulk_detect'> = {
    type: 'bulk_detect',
    params: { types: 'all', replace: false },
    items: [{ input }, { input: { ...input, name: { imageUrl: 'http://a/b.jpg' } } }, { input }],
  };
  const items = async (id: number, query: ItemQuery = {}) =>
    (await api.client.listJobItems({ path: { id }, query })).body!;

  test('lists the items of a job at work with their results and failures', async () => {
    const { id } = await create(posted);
    const result = { index: 0, source_image_id: 7, faces: [{}, {}], objects: [{}] };
    await endItem(api.stores, await claimed(), { result });
    const error = { code: 'image_corrupt', detail: 'It is damaged.' };
    await endItem(api.stores, await claimed(), { error });
    const none = { source_image_id: null, code: null, detail: null, measured: null };
    const { items: all } = await items(id);
    const finished_at = expect.stringMatching(/Z$/);
    expect(all).toEqual([
      {
        ...none,
        index: 0,
        status: 'done',
        name: 'a.jpg',
        source_image_id: 7,
        measured: { faces: 2, objects: 1 },
        finished_at,
      },
      { ...none, ...error, index: 1, status: 'failed', name: 'http://a/b.jpg', finished_at },
      { ...none, index: 2, status: 'pending', name: 'a.jpg', finished_at: null },
    ]);
    for (const item of all) {
      expect((await items(id, { status: item.status })).items).toEqual([item]);
    }
    expect((await items(id, { status: 'running' })).items).toEqual([]);
    const first = await items(id, { limit: 2 });
    expect(first).toMatchObject({ items: all.slice(0, 2), has_more: true });
    const rest = await items(id, { limit: 2, cursor: first.next_cursor! });
    expect(rest).toEqual({ items: all.slice(2), next_cursor: null, has_more: false });
    const { id: other } = await create(imagesJob(1));
    expect((await items(other)).items).toMatchObject([{ name: null, source_image_id: 1 }]);
    const { problem } = await api.client.listJobItems({
      path: { id: other },
      query: { cursor: first.next_cursor! },
    });
    expect(problem).toMatchObject({ status: 400 });
  });

  test('answers 404 for an unknown job', async () => {
    const { problem } = await api.client.listJobItems({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('POST /api/jobs/{id}/retry', () => {
  const error = { code: 'image_corrupt', detail: 'It is damaged.' };

  test('makes a job of the failed items, with the same options', async () => {
    const job: NewJob<'reprocess'> = { ...imagesJob(3), params: { types: 'faces', replace: true } };
    const { id } = await ended(job, [{ result: {} }, { error }, { error }]);
    const { status, body } = await api.client.retryJob({ path: { id } });
    expect([status, body]).toEqual([202, { job_id: SOME, status: 'pending', total: 2 }]);
    const item = await claimed();
    expect(item.job).toMatchObject({ id: body!.job_id, type: 'reprocess', params: job.params });
    expect(item.input).toEqual({ sourceImageId: 2 });
    const { body: before } = await api.client.getJob({ path: { id } });
    expect(before).toMatchObject({ status: 'done', done: 1, failed: 2 });
  });

  test('hands uploads on, so that each item with a file is retried once', async () => {
    const bytes = Buffer.from('an upload');
    const content = { digest: digestOf(bytes), extension: 'bin' };
    const uploadKey = mediaKey(scope.environmentId, 'uploads', content);
    await api.media.put(uploadKey, bytes);
    const input = { name: {}, externalRef: null, imageUrl: null, refusal: null };
    const { id } = await ended(
      {
        type: 'bulk_detect',
        params: { types: 'all', replace: false },
        items: [{ input, uploadKey }],
      },
      [{ error }],
    );
    const { body } = await api.client.retryJob({ path: { id } });
    expect(body).toMatchObject({ total: 1 });
    expect(await claimed()).toMatchObject({ uploadKey, job: { id: body!.job_id } });
    const { problem } = await api.client.retryJob({ path: { id } });
    expect(problem).toMatchObject({ status: 409, code: 'nothing_to_retry' });
    await api.client.deleteJob({ path: { id } });
    expect(await api.media.open(uploadKey)).not.toBeNull();
  });

  test('makes one job of two requests with the same key', async () => {
    const { id } = await ended(imagesJob(1), [{ error }]);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await api.client.retryJob({ path: { id }, headers });
    const second = await api.client.retryJob({ path: { id }, headers });
    expect(second.body).toEqual(first.body);
  });

  test('refuses jobs at work, without failures, and of other types', async () => {
    const done = await create(imagesJob(0));
    const switched = await ended(
      { type: 'activate_model', params: { modelId: 1, reembed: 'before' }, items: [{ input: {} }] },
      [{ error }],
    );
    for (const job of [done, switched]) {
      const refused = await api.client.retryJob({ path: { id: job.id } });
      expect(refused.problem).toMatchObject({ status: 409, code: 'nothing_to_retry' });
    }
    const { id } = await create(imagesJob(1));
    const { problem } = await api.client.retryJob({ path: { id } });
    expect(problem).toMatchObject({ status: 409, code: 'job_unfinished' });
    const missing = await api.client.retryJob({ path: { id: 999_999_999 } });
    expect(missing.problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('POST /api/jobs/{id}/cancel', () => {
  test('answers the job, whose items fail', async () => {
    const { id } = await create(imagesJob(2));
    const { body } = await api.client.cancelJob({ path: { id } });
    expect(body).toMatchObject({ status: 'failed', error: 'cancelled', failed: 2 });
    expect(body!.results_url).toBe(`/api/jobs/${id}/results`);
    const results = await api.client.getJobResults({ path: { id } });
    expect(results.body).toMatchObject({
      results: [
        { index: 0, source_image_id: 1, error: { code: 'cancelled' } },
        { index: 1, source_image_id: 2, error: { code: 'cancelled' } },
      ],
    });
    const { problem } = await api.client.cancelJob({ path: { id } });
    expect(problem).toMatchObject({ status: 409, code: 'job_finished' });
  });

  test('removes the uploads of items that have not started', async () => {
    const bytes = Buffer.from('an upload');
    const content = { digest: digestOf(bytes), extension: 'bin' };
    const uploadKey = mediaKey(scope.environmentId, 'uploads', content);
    await api.media.put(uploadKey, bytes);
    const input = { name: {}, externalRef: null, imageUrl: null, refusal: null };
    const { id } = await create({
      type: 'bulk_detect',
      params: { types: 'all', replace: false },
      items: [{ input, uploadKey }],
    });
    await api.client.cancelJob({ path: { id } });
    expect(await api.media.open(uploadKey)).toBeNull();
  });
});

describe('DELETE /api/jobs/{id}', () => {
  test('deletes a job that has ended, with its archive', async () => {
    const { id } = await exported(Buffer.from('zip'));
    const [key] = await filesOf(scope);
    expect(key).toMatch(/\/archives\//);
    expect((await api.client.deleteJob({ path: { id } })).status).toBe(204);
    expect(await filesOf(scope)).toEqual([]);
    for (const answer of [
      await api.client.getJob({ path: { id } }),
      await api.client.getJobResults({ path: { id } }),
      await api.client.deleteJob({ path: { id } }),
    ]) {
      expect(answer.problem).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('refuses one that has not ended', async () => {
    const { id } = await create(imagesJob(1));
    const { problem } = await api.client.deleteJob({ path: { id } });
    expect(problem).toMatchObject({ status: 409, code: 'job_unfinished' });
  });
});

describe('GET /api/jobs/{id}/results', () => {
  test('are those of each image, in the order of the request', async () => {
    const count = 45;
    const ends = Array.from({ length: count }, (_, index) =>
      index === 7
        ? { error: { code: 'not_found', detail: 'There is no source image 8.' } }
        : { result: { index, source_image_id: index + 1, faces: [], objects: [] } },
    );
    const { id } = await ended(imagesJob(count), ends);
    const { body, headers } = await api.client.getJobResults({ path: { id } });
    expect(headers.get('content-type')).toMatch('application/json');
    expect(body).toEqual({
      total: count,
      type: 'all',
      results: ends.map((end, index) =>
        'error' in end ? { index, source_image_id: index + 1, error: end.error } : end.result,
      ),
    });
  });

  test('name an image as its request did', async () => {
    const input = { name: { filename: 'a.jpg' }, externalRef: null, imageUrl: null, refusal: null };
    const job: NewJob<'bulk_detect'> = {
      type: 'bulk_detect',
      params: { types: 'faces', replace: false },
      items: [{ input }],
    };
    const error = { code: 'image_corrupt', detail: 'It is damaged.' };
    const { id } = await ended(job, [{ error }]);
    const { body } = await api.client.getJobResults({ path: { id } });
    expect(body).toEqual({
      total: 1,
      type: 'faces',
      results: [{ index: 0, filename: 'a.jpg', error }],
    });
  });

  test('are the counts of an import', async () => {
    const counts = {
      identities_created: 1,
      identities_merged: 2,
      detections_created: 3,
      embeddings_created: 4,
      embeddings_dropped: 0,
      images_created: 5,
      skipped: 6,
    };
    const job: NewJob<'import'> = { type: 'import', params: {}, items: [{ input: {} }] };
    const { id } = await ended(job, [{ result: counts }]);
    expect((await api.client.getJobResults({ path: { id } })).body).toEqual(counts);
    const failed = await ended(job, [{ error: { code: 'archive_invalid', detail: 'No.' } }]);
    const { body } = await api.client.getJob({ path: { id: failed.id } });
    expect(body).toMatchObject({ status: 'failed', error: 'No.', results_url: null });
    const { problem } = await api.client.getJobResults({ path: { id: failed.id } });
    expect(problem).toMatchObject({ status: 404 });
  });

  test.each<NewJob>([
    { type: 'import', params: {}, items: [{ input: {} }], total: 0 },
    imagesJob(1),
  ])('of $type are deleted with the job, also during a request for them', async (job) => {
    const { id } = await ended(job, [{ result: {} }]);
    const { database } = api.stores;
    const read = database.withScope.bind(database);
    jest.spyOn(database, 'withScope').mockImplementationOnce(async (...call) => {
      const found = await read(...call);
      await api.client.deleteJob({ path: { id } });
      return found;
    });
    const { problem } = await api.client.getJobResults({ path: { id } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('are the ZIP of an export, for a key with full rights', async () => {
    const { id } = await exported(Buffer.from('PK of a ZIP'));
    const path = `/api/jobs/${id}/results`;
    const whole = await api.fetch(path);
    expect(whole.headers.get('content-type')).toBe('application/zip');
    expect(await whole.text()).toBe('PK of a ZIP');
    const part = await api.fetch(path, { headers: { Range: 'bytes=6-' } });
    expect([part.status, await part.text()]).toEqual([206, 'a ZIP']);
    const etag = whole.headers.get('etag')!;
    const same = await api.fetch(path, { headers: { 'If-None-Match': etag } });
    expect(same.status).toBe(304);
    const reader = await api.clientOf({ environment: api.environment, right: 'read' });
    expect((await reader.getJob({ path: { id } })).status).toBe(200);
    const { problem } = await reader.getJobResults({ path: { id } });
    expect(problem).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('of no images are none', async () => {
    const { id } = await create(imagesJob(0));
    const { body } = await api.client.getJobResults({ path: { id } });
    expect(body).toMatchObject({ total: 0, results: [] });
  });

  test('are available after the end', async () => {
    const { id } = await create(imagesJob(1));
    const { problem } = await api.client.getJobResults({ path: { id } });
    expect(problem).toMatchObject({ status: 409, code: 'job_unfinished' });
  });
});

async function filesOf({ environmentId }: Scope): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of api.media.list(`${environmentId}/`)) keys.push(key);
  return keys;
}
