import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sampleFiles, zipOf } from '@sightline/archive-zip/testing/sample-archive';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { Client } from '@sightline/contracts/client';
import { samplePack } from '@sightline/core/models/testing/sample-pack';
import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { countsOf } from '../testing/counts-of.ts';
import { oneFace, photo } from '../testing/people.ts';
import { sampleCluster, sampleDelivery } from '../testing/sample-library.ts';
import { callWithSample, type Operation } from '../testing/sample-request.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

const KEY = { 'Idempotency-Key': 'order-66' };
const AS_JOB = { query: { async: true } };

type Headers = Readonly<Record<string, string>>;

const IDEMPOTENT = Object.entries(API_CONTRACTS)
  .filter(([, contract]) => 'idempotent' in contract)
  .map(([name]) => name as Operation);

async function archiveOf(label: string): Promise<File> {
  const zip = await zipOf(sampleFiles({ identities: [{ label }] }));
  return new File([new Uint8Array(zip)], 'library.zip');
}

describe.each(IDEMPOTENT)('%s with an Idempotency-Key', (name) => {
  /** Sends the sample request. `text` becomes its image or label, and selects the stored face, image and identity. */
  const send = async (text: string) => {
    const { id, image, other, job, model, webhook, delivery, operation } = stored[text]!;
    return callWithSample(client, name, {
      records: {
        identities: { id: identity },
        images: { id: image },
        detections: { id },
        review: { id },
        mismatches: { id },
        jobs: { id: job },
        models: { id: model },
        webhooks: { id: webhook, delivery_id: delivery },
        operations: { id: operation },
        clusters: { cluster_id: text === '10' ? cluster : 'another-group' },
      },
      members: {
        label: text,
        dry_run: false,
        except: [],
        as_of: `2100-01-${text}T00:00:00Z`,
        url: `https://hooks.example/${text}`,
        identity_id: identity,
        identity_ids: [other],
        into: other,
        detection_ids: [id],
        source_image_ids: [image],
        bbox: { x: 1, y: 1, w: 20, h: 20 },
        items: [{ detection_id: id, label: text }],
      },
      file: photo(text),
      files: { importArchive: await archiveOf(text) },
      headers: KEY,
      // The export is requested as a job. A direct export stores nothing, so a retry could not create anything twice.
      ...(name === 'exportLibrary' && AS_JOB),
    });
  };
  const numbers = async () => {
    const { body } = await api.client.getStats();
    const { body: webhooks } = await api.client.listWebhooks();
    return { ...countsOf(body!), webhooks: webhooks!.items.length };
  };

  let identity: number;
  /** The id of a group of strangers, for requests about groups. */
  let cluster = 'none';
  /**
   * For each text of a request, the ids of the records that the request uses. `id` is a face of Anna's, and `image` the
   * face's image.
   */
  let stored: Readonly<
    Record<
      string,
      Record<
        'id' | 'image' | 'other' | 'job' | 'model' | 'webhook' | 'delivery' | 'operation',
        number
      >
    >
  >;
  let client: Client;

  let models: readonly { readonly id: number; readonly name: string }[];

  beforeEach(async () => {
    const { body } = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    identity = body!.identity_id;
    client = await api.clientOf({ isAdmin: true });
    await api.stores.catalog.sync(['1', '2'].map((text) => samplePack(`pack-${text}`)));
    models = (await api.client.listModels()).body!.items;
    stored = { '10': await store('1'), '20': await store('2') };
    if (name.endsWith('Cluster')) cluster = await sampleCluster(api);
    for (const { id, job } of Object.values(stored)) {
      if (name === 'restoreFace') await api.client.rejectFace({ path: { id } });
      if (name === 'retryJob') await api.client.cancelJob({ path: { id: job } });
    }
  });

  async function store(text: string) {
    const detected = await api.client.detectFaces({ body: { file: photo(text) } });
    const { source_image_id: image, faces } = detected.body!;
    const label = `Anna ${text}`;
    const created = await api.client.createIdentity({ body: { label, type: 'face' } });
    const scope = { environmentId: (await api.stores.keys.environment(api.environment)).id };
    const { id: job } = await createJob(api.stores, { scope }, imagesJob(1));
    const model = models.find(({ name }) => name === `pack-${text}`)!.id;
    const named = await api.client.setIdentityRef({
      path: { id: created.body!.id },
      body: { external_ref: `hr/${text}` },
    });
    const operation = Number(named.headers.get('x-operation-id'));
    const hook = await api.client.registerWebhook({
      body: { url: `https://hooks.example/${label}` },
    });
    const [other, webhook] = [created.body!.id, hook.body!.id];
    const delivery = await sampleDelivery(api, { ...scope, webhook });
    const face = faces[0]!.detection_id;
    return { id: face, image, other, job, model, webhook, delivery, operation };
  }

  test('gets the same answer again, without another effect', async () => {
    const first = await send('10');
    expect(first.problem).toBeNull();
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    const after = await numbers();
    const again = await send('10');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect({ status: again.status, body: again.body }).toEqual({
      status: first.status,
      body: first.body,
    });
    expect(await numbers()).toEqual(after);
  });

  test('is refused for another request', async () => {
    await send('10');
    const { problem } = await send('20');
    expect(problem).toMatchObject({ status: 409, code: 'idempotency_mismatch' });
  });
});

describe('an Idempotency-Key', () => {
  const detect = (text: string, client = api.client, headers: Headers = KEY) =>
    client.detectFaces({ headers, body: { file: photo(text) } });

  test('has a form', async () => {
    for (const key of ['x'.repeat(256), 'two words']) {
      const { problem } = await detect('0', api.client, { 'Idempotency-Key': key });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'Idempotency-Key' }] });
    }
    expect(api.analyzer.requests).toEqual([]);
  });

  test('is refused while its request is in progress', async () => {
    const begun = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    api.analyzer.before = () => {
      begun.resolve(undefined);
      return goOn.promise;
    };
    const first = detect('0');
    await begun.promise;
    const second = await detect('0');
    expect(second.problem).toMatchObject({ status: 409, code: 'in_progress' });
    expect(second.headers.get('retry-after')).toBe('1');
    goOn.resolve(undefined);
    const { body } = await first;
    expect((await detect('0')).body).toEqual(body);
    expect(api.analyzer.requests).toHaveLength(1);
  });

  test('is free again after a failure', async () => {
    api.analyzer.before = () => Promise.reject(new ImageCorrupt('The image is cut off.'));
    expect((await detect('0')).status).toBe(422);
    api.analyzer.before = () => Promise.resolve();
    const { status, headers } = await detect('0');
    expect(status).toBe(200);
    expect(headers.has('idempotency-replayed')).toBe(false);
  });

  test('belongs to an environment', async () => {
    const ours = await detect('0');
    const theirs = await detect('10', await api.clientOf({ environment: 'another' }));
    expect(theirs.status).toBe(200);
    expect(theirs.body!.source_image_id).not.toBe(ours.body!.source_image_id);
  });

  test('belongs to a caller of the environment', async () => {
    await detect('0');
    const other = await detect('10', await api.clientOf({}));
    expect({ status: other.status, replayed: other.headers.has('idempotency-replayed') }).toEqual({
      status: 200,
      replayed: false,
    });
  });

  test('means the same request, however the form is encoded', async () => {
    const send = async (boundary: string, order: readonly string[]) => {
      const parts: Record<string, string> = {
        file: 'name="file"; filename="a.jpg"\r\n\r\n0',
        external_ref: 'name="external_ref"\r\n\r\nalbum',
      };
      const body = order.map(
        (name) => `--${boundary}\r\nContent-Disposition: form-data; ${parts[name]!}\r\n`,
      );
      const response = await api.fetch('/api/detect/faces', {
        method: 'POST',
        headers: { ...KEY, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body: `${body.join('')}--${boundary}--\r\n`,
      });
      return {
        replayed: response.headers.get('idempotency-replayed'),
        body: await response.json(),
      };
    };
    const first = await send('one', ['file', 'external_ref']);
    const second = await send('two', ['external_ref', 'file']);
    expect(first).toMatchObject({ replayed: null, body: { external_ref: 'album' } });
    expect(second).toEqual({ replayed: 'true', body: first.body });
  });

  test('lets one of many concurrent requests have its effect', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => detect('0')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(statuses.has(200)).toBe(true);
    expect(api.analyzer.requests).toHaveLength(1);
  });
});
