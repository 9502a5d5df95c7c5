import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { ActiveModel } from '@sightline/core/models/model';
import { ModelFetchFailed } from '@sightline/core/models/model-source';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

const ADDRESS = 'https://user:secret@example.org/pack.zip?signature=secret';

let api: ApiServer;
let admin: Client;
let entry: CatalogEntry;
let model: ActiveModel;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  admin = await api.clientOf({ isAdmin: true });
  const name = `pack-${randomUUID()}`;
  entry = {
    name,
    task: 'face',
    version: '1',
    license: 'Research-Only',
    commercialUse: 'unknown',
    commercialUseReason: 'Not known.',
    provides: ['age'],
    embeddingDim: 512,
    classes: [],
    files: [{ address: ADDRESS, sha256: null, bytes: 1000 }],
  };
  model = { ...FACE_MODEL, name, revision: digest() };
  await api.stores.catalog.sync([entry]);
});
afterAll(() => api[Symbol.asyncDispose]());

function digest(): string {
  return `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
}

async function listed(name = entry.name) {
  const { body } = await api.client.listModels({});
  return body!.items.filter((each) => each.name === name);
}

async function onlyListed() {
  const [found, ...others] = await listed();
  expect(others).toEqual([]);
  return found!;
}

const get = async (id: number) => (await api.client.getModel({ path: { id } })).body!;
const download = (id: number, client = admin) => client.downloadModel({ path: { id } });

async function claim(): Promise<ClaimedItem> {
  return (await api.stores.jobs.claim(['model_download']))!;
}

async function end(item: ClaimedItem, detail: string): Promise<void> {
  const { environmentId } = item.claim;
  await api.stores.database.withEntities({ environmentId, locks: [] }, (tx) =>
    tx.jobs.endItem(item.claim, { error: { code: 'model_fetch_failed', detail } }),
  );
}

async function pin(id: number, item: ClaimedItem, fetched = model): Promise<void> {
  const progress = { total: 1234, done: 1234, failed: 0 };
  await api.stores.catalog.pin(
    id,
    { model: fetched, bytes: 1234, sha256: null, warnings: [] },
    (tx) => tx.jobs.endItem(item.claim, { progress }),
  );
}

describe('a model of the catalog', () => {
  test('is listed before its files are downloaded, without the secrets of its address', async () => {
    const found = await onlyListed();
    expect(found).toMatchObject({
      task: 'face',
      source_url: 'https://example.org/pack.zip',
      sha256: null,
      size_bytes: null,
      license: 'Research-Only',
      commercial_use: 'unknown',
      commercial_use_reason: 'Not known.',
      status: 'available',
      active: false,
      provides: ['age'],
      embedding_dim: 512,
      error: null,
    });
    expect(await get(found.id)).toEqual(found);
  });

  test('changes with its entry, and goes with it', async () => {
    const { id } = await onlyListed();
    await api.stores.catalog.sync([{ ...entry, version: '2' }]);
    expect(await get(id)).toMatchObject({ version: '2', status: 'available' });
    await api.stores.catalog.sync([]);
    expect(await listed()).toEqual([]);
    expect(await api.client.getModel({ path: { id } })).toMatchObject({ status: 404 });
  });

  test('becomes the one of a folder that has its name, and stays with that', async () => {
    const { id } = await onlyListed();
    await api.stores.models.register([model]);
    expect(await onlyListed()).toMatchObject({
      id,
      sha256: model.revision,
      status: 'downloaded',
      source_url: 'https://example.org/pack.zip',
    });
    await api.stores.catalog.sync([]);
    expect(await onlyListed()).toMatchObject({ id, status: 'downloaded', source_url: null });
    await api.stores.catalog.sync([entry]);
    expect(await onlyListed()).toMatchObject({
      id,
      version: model.version,
      source_url: 'https://example.org/pack.zip',
    });
  });

  test('the active model is downloaded, and active', async () => {
    const [row] = await listed(api.analyzer.models[0]!.name);
    expect(row).toMatchObject({ status: 'downloaded', active: true });
  });

  test('pages', async () => {
    const { body } = await api.client.listModels({ query: { limit: 1 } });
    const cursor = body!.next_cursor!;
    const next = await api.client.listModels({ query: { limit: 1, cursor } });
    expect(next.body!.items[0]!.id).toBeGreaterThan(body!.items[0]!.id);
  });
});

describe('a download', () => {
  test('pins the digest in place', async () => {
    const { id } = await onlyListed();
    const { status, body } = await download(id);
    expect(status).toBe(202);
    expect(await get(id)).toMatchObject({ status: 'downloading' });
    const item = await claim();
    expect(item.job).toMatchObject({ id: body!.job_id, total: 1000, params: { modelId: id } });
    await pin(id, item);
    expect(await get(id)).toMatchObject({
      status: 'downloaded',
      sha256: model.revision,
      size_bytes: 1234,
    });
    const job = await admin.getJob({ path: { id: body!.job_id } });
    expect(job.body).toMatchObject({ type: 'model_download', status: 'done', total: 1234 });
    expect(job.body!.results_url).toBeNull();
  });

  test('is one at a time, also for another environment', async () => {
    const { id } = await onlyListed();
    const { body } = await download(id);
    expect((await download(id)).body).toEqual(body);
    const other = await api.clientOf({ environment: randomUUID(), isAdmin: true });
    expect((await download(id, other)).body).toEqual({ job_id: body!.job_id, status: 'running' });
    await end(await claim(), 'No.');
  });

  test('that fails says why, until the next one starts', async () => {
    const { id } = await onlyListed();
    await download(id);
    await end(await claim(), 'The server is unavailable.');
    expect(await get(id)).toMatchObject({ status: 'failed', error: 'The server is unavailable.' });
    await download(id);
    expect(await get(id)).toMatchObject({ status: 'downloading', error: null });
    await end(await claim(), 'No.');
  });

  test('that is cancelled does not change the model', async () => {
    const { id } = await onlyListed();
    const { body } = await download(id);
    await admin.cancelJob({ path: { id: body!.job_id } });
    expect(await get(id)).toMatchObject({ status: 'available', error: null });
  });

  test('that is cancelled while it runs allows another one, which waits for its end', async () => {
    const { id } = await onlyListed();
    const { body } = await download(id);
    const cancelled = await claim();
    await admin.cancelJob({ path: { id: body!.job_id } });
    expect(await get(id)).toMatchObject({ status: 'available', error: null });
    const other = await api.clientOf({ environment: randomUUID(), isAdmin: true });
    const next = (await download(id, other)).body!;
    expect(next.job_id).not.toBe(body!.job_id);
    expect(await api.stores.jobs.claim(['model_download'])).toBeNull();
    await end(cancelled, 'Cancelled.');
    expect(await get(id)).toMatchObject({ status: 'downloading' });
    const item = await claim();
    expect(item.job.id).toBe(next.job_id);
    await pin(id, item);
    expect(await get(id)).toMatchObject({ status: 'downloaded' });
  });

  test('keeps in the audit that its caller accepts the license, if they say so', async () => {
    const owner = await api.clientOf({ isAdmin: true });
    const { id } = await onlyListed();
    const started = await owner.downloadModel({ path: { id }, query: { accept_license: true } });
    expect(started.status).toBe(202);
    expect((await download(id)).status).toBe(202);
    const { body } = await owner.listAudit({ query: { entity_type: 'model' } });
    expect(body!.items.map(({ details }) => details)).toEqual([
      {},
      { accepted_license: 'Research-Only' },
    ]);
    const query = { accept_license: 'yes' as unknown as boolean };
    const refused = await owner.downloadModel({ path: { id }, query });
    expect(refused.problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('of a downloaded model is one at a time as well', async () => {
    const { id } = await onlyListed();
    await download(id);
    await pin(id, await claim());
    const { body } = await download(id);
    expect((await download(id)).body).toEqual(body);
    const item = await claim();
    expect((await download(id)).body).toEqual({ job_id: body!.job_id, status: 'running' });
    await end(item, 'No.');
    expect((await download(id)).body!.job_id).not.toBe(body!.job_id);
    await end(await claim(), 'No.');
  });

  test('of a downloaded model does not change the model, even if it fails', async () => {
    const { id } = await onlyListed();
    await download(id);
    await pin(id, await claim());
    await download(id);
    expect(await get(id)).toMatchObject({ status: 'downloaded' });
    const item = await claim();
    const other = { ...model, revision: digest() };
    const pinned = pin(id, item, other);
    await expect(pinned).rejects.toBeInstanceOf(ModelFetchFailed);
    await expect(pinned).rejects.toThrow(other.revision);
    await end(item, 'Other bytes.');
    expect(await get(id)).toMatchObject({ status: 'downloaded', sha256: model.revision });
  });

  test('of more bytes than a job counts starts, too', async () => {
    const file = { address: ADDRESS, sha256: null, bytes: 2 ** 31 - 1 };
    await api.stores.catalog.sync([{ ...entry, files: [file, file] }]);
    await download((await onlyListed()).id);
    const item = await claim();
    expect(item.job.total).toBe(2 ** 31 - 1);
    await end(item, 'No.');
  });

  test('of a model without a source is refused', async () => {
    await api.stores.catalog.sync([{ ...entry, files: [] }]);
    const { problem } = await download((await onlyListed()).id);
    expect(problem).toMatchObject({ status: 409, code: 'no_source' });
  });

  test('of an unknown model is refused', async () => {
    const { problem } = await download(2 ** 40);
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('takes an administrator', async () => {
    const { id } = await onlyListed();
    const { problem } = await download(id, api.client);
    expect(problem).toMatchObject({ status: 403, code: 'admin_required' });
  });
});

test('without a store of models none is downloaded', async () => {
  await using storeless = await startApi(createMigratedDatabase, { hasPackStore: false });
  await storeless.stores.catalog.sync([entry]);
  const { body } = await storeless.client.listModels({});
  const { id } = body!.items.find(({ name }) => name === entry.name)!;
  const client = await storeless.clientOf({ isAdmin: true });
  const { problem } = await client.downloadModel({ path: { id } });
  expect(problem).toMatchObject({ status: 409, code: 'no_model_store' });
});
