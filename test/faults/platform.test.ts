import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@sightline/contracts/client';
import { describeInSoak } from '../support/gates/soak.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { QdrantProcess } from '../support/servers/qdrant-process.ts';
import { type RunningPlatform, startPlatform } from '../support/services/running-platform.ts';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { besideWorker } from './breakable-platform.ts';

const FACES = { faces: ['Ada', 'Bea'] };
const PAUSE_MS = 100;

describeWithMinio('a platform', () => {
  describeInSoak('with an index in each process', () => {
    const resources = new AsyncDisposableStack();
    let platform: RunningPlatform;

    beforeAll(async () => {
      platform = resources.use(await startPlatform());
    });
    afterAll(() => resources.disposeAsync());

    test('goes on without one of them, and with it again', async () => {
      await killUnderLoad(platform, 'service-1');
      await untilBacklog(platform, (backlog) => backlog === 0);
      await comeBack(platform, 'service-1');
    });
  });

  describeWithQdrantProcess('with an index for all', () => {
    describe('in a Qdrant', () => {
      const resources = new AsyncDisposableStack();
      let platform: RunningPlatform;

      beforeAll(async () => {
        const { url } = resources.use(await QdrantProcess.start());
        platform = resources.use(await startPlatform({ qdrant: url.origin }));
      });
      afterAll(() => resources.disposeAsync());

      test('goes on without one of the API processes, and with it again', async () => {
        await killUnderLoad(platform, 'api-1');
        await untilBacklog(platform, (backlog) => backlog === 0);
        await comeBack(platform, 'api-1');
      });

      test('passes the index on from a worker that is killed', async () => {
        const worker = platform.process('worker');
        await using other = besideWorker(worker);
        await worker.kill();
        // Without a worker the index does not get these faces, but matching reads them from the
        // database.
        ok(await platform.client.detectFaces({ body: { file: await freshPhoto(FACES) } }));
        await untilBacklog(platform, (backlog) => backlog > 0);
        const begun = performance.now();
        other.start();
        await untilBacklog(platform, (backlog) => backlog === 0);
        const seconds = Math.round((performance.now() - begun) / 1_000);
        process.stderr.write(`another worker took over within ${seconds} s\n`);
        expect(await platform.inconsistencies()).toEqual([]);
      });
    });
  });
});

/**
 * Kills the first API process while both processes store photos. Everything that either process has
 * acknowledged must be stored, and callers of the second process notice nothing.
 */
async function killUnderLoad(platform: RunningPlatform, name: string): Promise<void> {
  const [dying, other] = platform.urls.map((baseUrl) =>
    createClient({ baseUrl, fetch, apiKey: platform.apiKey }),
  ) as [Client, Client];
  const known = await drawPhoto({ faces: ['Beatrice'] });
  ok(await other.enrollFace({ body: { name: 'Beatrice', file: known } }));
  const stored = new Set<number>();
  const stop = new AbortController();
  const load = [storePhotos(dying, stored, stop.signal), storePhotos(dying, stored, stop.signal)];
  const elsewhere = storePhotos(other, stored, stop.signal);
  while (stored.size < 6) await sleep(PAUSE_MS);
  await platform.process(name).kill();
  expect(await Promise.all(load)).toEqual(['broken off', 'broken off']);
  const before = stored.size;
  while (stored.size < before + 2) await sleep(PAUSE_MS);
  stop.abort();
  expect(await elsewhere).toBe('stopped');

  const { ids } = ok(await other.listImageIds());
  for (const id of stored) {
    expect(ids).toContain(id);
    const image = ok(await other.getImageFaces({ path: { id } }));
    expect(image.faces).toHaveLength(2);
  }
  await expectKnown(other);
  expect(await platform.inconsistencies()).toEqual([]);
}

type Client = ReturnType<typeof createClient>;

async function storePhotos(
  client: Client,
  stored: Set<number>,
  stop: AbortSignal,
): Promise<'stopped' | 'broken off'> {
  while (!stop.aborted) {
    const file = await freshPhoto(FACES);
    const answer = await client.detectFaces({ body: { file } }).catch(() => null);
    if (answer === null) return 'broken off';
    stored.add(ok(answer).source_image_id);
  }
  return 'stopped';
}

async function expectKnown(client: Client): Promise<void> {
  const file = await drawPhoto({ faces: ['Beatrice 2'] });
  const { faces } = ok(await client.identifyFaces({ body: { file } }));
  expect(faces[0]).toMatchObject({ label: 'Beatrice' });
}

/** Polls the second process until the backlog of its index is as expected. */
async function untilBacklog(
  platform: RunningPlatform,
  isExpected: (backlog: number) => boolean,
): Promise<void> {
  const client = createClient({ baseUrl: platform.urls[1]!, fetch, apiKey: platform.apiKey });
  for (;;) {
    const { index } = ok(await client.getHealth());
    if (index?.state === 'filled' && isExpected(index.backlog)) return;
    await sleep(PAUSE_MS);
  }
}

/**
 * Restarts the process, and expects that it recognizes the people that the other process has
 * enrolled.
 */
async function comeBack(platform: RunningPlatform, name: string): Promise<void> {
  const process = platform.process(name);
  process.start();
  await process.untilReady(new AbortController().signal);
  const [baseUrl] = platform.urls;
  await expectKnown(createClient({ baseUrl: baseUrl!, fetch, apiKey: platform.apiKey }));
}
