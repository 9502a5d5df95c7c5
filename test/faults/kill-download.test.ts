import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import {
  type Answer,
  PublishedServer,
  serving,
} from '@sightline/model-downloads/testing/published-server';
import { endItemLeases } from '../support/fixtures/end-leases.ts';
import { writeCatalog, zipOfToyFaces } from '../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ok } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { type DyingLibrary, openDyingLibrary } from './dying-library.ts';

const PAUSE_MS = 100;

test('a download over which the service dies goes on where it was', async () => {
  const zip = await zipOfToyFaces();
  await using server = await PublishedServer.start();
  await using folder = await temporaryFolder();
  const address = `${server.url}/pack.zip`;
  await using library = await openDyingLibrary({
    SIGHTLINE_MODEL_CATALOG: await writeCatalog(folder.path, [{ name: 'published', address }]),
    SIGHTLINE_CACHE: folder.path,
  });
  await using services = new AsyncDisposableStack();
  let service = services.use(await library.start());
  const half = Promise.withResolvers<undefined>();
  const stalls: Answer = (_request, response) => {
    response.writeHead(200, { etag: '"1"', 'content-length': zip.length });
    response.write(zip.subarray(0, zip.length / 2), () => half.resolve(undefined));
  };
  server.answers = [stalls, serving(zip)];

  const { id } = await listed(service);
  const { job_id: job } = ok(await service.client.downloadModel({ path: { id } }));
  await half.promise;
  await untilReported(library, job);
  service.process.kill('SIGKILL');
  await once(service.process, 'exit');

  service = services.use(await library.start(undefined, { keepsItems: true }));
  expect(await listed(service)).toMatchObject({ id, status: 'downloading' });
  await endItemLeases(library);
  while ((await listed(service)).status === 'downloading') await sleep(PAUSE_MS);
  expect(await listed(service)).toMatchObject({
    id,
    status: 'downloaded',
    error: null,
    size_bytes: zip.length,
  });
  expect(ok(await service.client.getJob({ path: { id: job } }))).toMatchObject({
    status: 'done',
    total: zip.length,
    done: zip.length,
  });
  expect(server.requests.map(({ range }) => range)).toEqual([
    null,
    expect.stringMatching(/^bytes=[1-9]\d*-$/),
  ]);
});

async function listed({ client }: RunningStandalone) {
  for (;;) {
    const { items } = ok(await client.listModels());
    const model = items.find(({ name }) => name === 'published');
    if (model !== undefined) return model;
    await sleep(PAUSE_MS);
  }
}

/** Waits until the job has reported progress. By then the received bytes are on the disk. */
async function untilReported(library: DyingLibrary, id: number): Promise<void> {
  for (;;) {
    const found = await library.query('SELECT FROM jobs WHERE id = $1 AND done > 0', [id]);
    if (found.length > 0) return;
    await sleep(PAUSE_MS);
  }
}
