import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ReadArchive, readArchive } from '@sightline/test/support/fixtures/read-archive';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

async function enroll(name: string, text: string): Promise<number> {
  const { body } = await api.client.enrollFace({ body: { name, file: photo(text) } });
  return body!.identity_id;
}

async function exported(body: { readonly identity_ids?: number[] } = {}): Promise<ReadArchive> {
  const answer = await api.client.exportLibrary({ body });
  expect(answer).toMatchObject({ status: 200, problem: null });
  return readArchive(new Uint8Array(await (answer.body as File).arrayBuffer()));
}

describe('POST /api/export', () => {
  test('sends everything as a ZIP', async () => {
    const [ada, bob] = [await enroll('Ada', '0'), await enroll('Bob', '90')];
    const response = await api.fetch('/api/export', { method: 'POST' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="sightline-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const archive = await readArchive(new Uint8Array(await response.arrayBuffer()));
    expect(archive.head).toMatchObject({ whole: true });
    expect(archive.identities.map(({ identity }) => identity)).toEqual([ada, bob]);
    expect(archive.images).toHaveLength(2);
    expect(archive.detections).toMatchObject([{ identity: ada }, { identity: bob }]);
  });

  test('sends what is asked for', async () => {
    const ada = await enroll('Ada', '0');
    await enroll('Bob', '90');
    const archive = await exported({ identity_ids: [ada, ada, 123_456_789, -1] });
    expect(archive.head).toMatchObject({ whole: false });
    expect(archive.detections).toMatchObject([{ identity: ada }]);
    expect(await exported({ identity_ids: [] })).toMatchObject({ identities: [], images: [] });
    expect((await exported()).images).toHaveLength(2);
  });

  test('sends an empty library, and nothing of others', async () => {
    const ada = await enroll('Ada', '0');
    await api.reset();
    expect(await exported()).toMatchObject({ identities: [], models: [], images: [] });
    expect(await exported({ identity_ids: [ada] })).toMatchObject({ identities: [], images: [] });
  });

  test.each([
    [{ identity_ids: 'all' }],
    [{ identity_ids: ['1'] }],
    [{ identity_ids: [1.5] }],
    [{ identity_ids: Array.from({ length: 1001 }, (_, id) => id) }],
  ])('refuses %j', async (body) => {
    const response = await api.fetch('/api/export', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  test('answers a problem if it cannot start', async () => {
    const { database } = api.stores;
    const down = await startApi(createMigratedDatabase, {
      database: { ...database, withScope: () => Promise.reject(new Error('a defect')) },
    });
    const { problem, headers } = await down.client.exportLibrary({ body: {} });
    expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
    expect(headers.get('content-disposition')).toBeNull();
    await down[Symbol.asyncDispose]();
  });

  describe('with async', () => {
    const start = (body: { readonly identity_ids?: number[] } = {}, client = api.client) =>
      client.exportLibrary({ query: { async: true }, body });

    test('answers with a job, which has no results yet', async () => {
      const ada = await enroll('Ada', '0');
      await enroll('Bob', '90');
      const { status, body } = await start({ identity_ids: [ada] });
      expect(status).toBe(202);
      const { job_id: id } = body as { readonly job_id: number };
      expect(body).toEqual({ job_id: id, status: 'pending' });
      const { body: job } = await api.client.getJob({ path: { id } });
      expect(job).toMatchObject({ type: 'export', total: 1, done: 0, results_url: null });
      const { problem } = await api.client.getJobResults({ path: { id } });
      expect(problem).toMatchObject({ status: 409, code: 'job_unfinished' });
    });

    test('takes a key with full rights', async () => {
      const { problem } = await start({}, await api.clientOf({ right: 'read' }));
      expect(problem).toMatchObject({ status: 403, code: 'forbidden' });
      const { body } = await api.client.listJobs();
      expect(body).toMatchObject({ items: [] });
    });

    test('is refused while there are too many jobs', async () => {
      for (let job = 0; job < 100; job++) await start();
      expect((await start()).problem).toMatchObject({ status: 429, code: 'too_many_jobs' });
    });
  });
});
