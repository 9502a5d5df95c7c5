import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';

async function ended(client: Client, id: number) {
  for (;;) {
    const job = ok(await client.getJob({ path: { id } }));
    if (job.finished_at !== null) return job;
    await delay(50);
  }
}

/**
 * The members of each result. Their values are left out, because it differs between runs which face is found
 * first.
 */
const names = ({ results }: { readonly results: readonly object[] }) =>
  results.map((result) => Object.keys(result).sort());

describeInCompositions('jobs of images', (takeEnvironment) => {
  let service: SharedService;
  let client: Client;
  let photos: readonly File[];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    service = await takeEnvironment();
    ({ client } = service);
    photos = await Promise.all(['Ada', 'Bea'].map((name) => drawPhoto({ faces: [name] })));
    const bytes = Buffer.from(await photos[1]!.arrayBuffer());
    server = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  afterAll(async () => {
    server.close();
    await service[Symbol.asyncDispose]();
  });

  test('have the results of requests that wait', async () => {
    const [ada] = photos;
    ok(await client.enrollFace({ body: { name: 'Ada', file: ada! } }));
    const base64 = Buffer.from(await ada!.arrayBuffer()).toString('base64');
    const body = { images: [{ image_base64: base64 }, { image_url: url }, {}] };
    const now = okWith(200, await client.detectBulk({ body }));
    const started = okWith(202, await client.detectBulk({ query: { async: true }, body }));
    expect(started).toMatchObject({ total: 3 });
    const job = await ended(client, started.job_id);
    expect(job).toMatchObject({
      type: 'bulk_detect',
      status: 'done',
      total: 3,
      done: 2,
      failed: 1,
    });
    const later = ok(await client.getJobResults({ path: { id: job.id } }));
    expect(names(later as typeof now)).toEqual(names(now));
    expect(later).toMatchObject({
      total: 3,
      type: 'all',
      results: [
        { index: 0, faces: [{ label: 'Ada', review_status: 'confirmed', created: false }] },
        { index: 1, image_url: url, faces: [{ label: null, created: false }] },
        { index: 2, error: { code: 'image_source' } },
      ],
    });
  });

  test('reprocess what is stored', async () => {
    const [image] = ok(await client.listImageIds()).ids;
    const query = { async: true, type: 'faces', replace: true } as const;
    const started = okWith(202, await client.reprocessImage({ path: { id: image! }, query }));
    expect(await ended(client, started.job_id)).toMatchObject({ type: 'reprocess', done: 1 });
    const results = ok(await client.getJobResults({ path: { id: started.job_id } }));
    expect(results).toMatchObject({
      total: 1,
      type: 'faces',
      results: [{ source_image_id: image, faces: [{ created: true }], objects: [] }],
    });
  });

  test('are those of their environment', async () => {
    const body = { file: [photos[0]!] };
    const started = okWith(202, await client.detectBulk({ query: { async: true }, body }));
    const { key } = await service.createKey({ environment: randomUUID(), right: 'full' });
    const stranger = service.clientWith(key);
    const path = { id: started.job_id };
    for (const call of [
      stranger.getJob,
      stranger.getJobResults,
      stranger.cancelJob,
      stranger.deleteJob,
    ]) {
      expect((await call({ path })).problem).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(await ended(client, started.job_id)).toMatchObject({ status: 'done' });
  });
});

test('a worker fetches no image from the service itself', async () => {
  await using service = await sharedService('standalone');
  const { client } = service;
  const targets = [`${service.url}/openapi.json`, `${service.opsUrl}/metrics`];
  const body = { image_urls: targets };
  const started = okWith(202, await client.detectBulk({ query: { async: true }, body }));
  expect(await ended(client, started.job_id)).toMatchObject({ status: 'done', failed: 2 });
  const results = ok(await client.getJobResults({ path: { id: started.job_id } }));
  expect(results).toMatchObject({
    results: targets.map((image_url, index) => ({
      index,
      image_url,
      error: { code: 'image_fetch_failed', detail: 'The image at this URL cannot be fetched.' },
    })),
  });
});
