import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { S3PackStore } from '@sightline/media/s3/s3-pack-store';
import {
  digestOf,
  PublishedServer,
  serving,
} from '@sightline/model-downloads/testing/published-server';
import { writeCatalog, zipOfToyFaces } from '../../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { describeWithMinio } from '../../support/servers/minio.ts';
import { MinioProcess } from '../../support/servers/minio-process.ts';
import { ok } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';

const PAUSE_MS = 50;

describeWithMinio('a service with a bucket, a folder of models and a mirror', () => {
  let resources: AsyncDisposableStack;
  let mirror: PublishedServer;
  let service: RunningStandalone;
  let packs: S3PackStore;
  let zip: Uint8Array;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    zip = await zipOfToyFaces();
    mirror = resources.use(await PublishedServer.start());
    mirror.answers = [serving(zip)];
    const minio = resources.use(await MinioProcess.start());
    const { path: folder } = resources.use(await temporaryFolder());
    const offered = join(folder, 'offered');
    await mkdir(offered);
    await writeFile(join(offered, 'pack.zip'), zip);
    await writeFile(join(folder, 'outside.zip'), zip);
    await symlink(join(folder, 'outside.zip'), join(offered, 'link.zip'));
    const bucket = await publishInBucket(minio, zip);
    const own = minio.options();
    packs = resources.use(new S3PackStore(own));
    const object = `s3://${bucket}/models/files/${digestOf(zip)}`;
    service = resources.use(
      await startStandalone({
        SIGHTLINE_MODEL_CATALOG: await writeCatalog(folder, [
          { name: 'of-bucket', address: object },
          { name: 'of-folder', address: pathToFileURL(join(offered, 'pack.zip')).href },
          { name: 'of-mirror', address: 'https://models.invalid/v1/pack.zip' },
          { name: 'not-in-bucket', address: `s3://${bucket}/nothing.zip` },
          { name: 'not-in-folder', address: join(offered, 'link.zip') },
        ]),
        SIGHTLINE_CACHE: folder,
        SIGHTLINE_MODEL_FILES: offered,
        SIGHTLINE_MODEL_MIRROR: `${mirror.url}/mirrored`,
        SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
        SIGHTLINE_S3_BUCKET: own.bucket,
        SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
        SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
      }),
    );
    while ((await models()).every(({ name }) => name !== 'of-mirror')) await sleep(PAUSE_MS);
  });
  afterAll(() => resources.disposeAsync());

  async function models() {
    return ok(await service.client.listModels()).items;
  }

  async function download(name: string) {
    const { id } = (await models()).find((model) => model.name === name)!;
    const { job_id: job } = ok(await service.client.downloadModel({ path: { id } }));
    for (;;) {
      const { finished_at: end } = ok(await service.client.getJob({ path: { id: job } }));
      if (end !== null) return ok(await service.client.getModel({ path: { id } }));
      await sleep(PAUSE_MS);
    }
  }

  test.each(['of-bucket', 'of-folder', 'of-mirror'])(
    'has a model %s in its bucket after the download',
    async (name) => {
      const model = await download(name);
      expect(model).toMatchObject({ status: 'downloaded', error: null, size_bytes: zip.length });
      expect(await packs.readManifest(model.sha256!)).toContain(`"name": "${name}"`);
    },
  );

  test('asks the mirror for the path that is published, and nothing else', () => {
    expect(new Set(mirror.requests.map(({ path }) => path))).toEqual(
      new Set(['/mirrored/v1/pack.zip']),
    );
  });

  test.each([
    ['not-in-bucket', /^The bucket sightline-[\w-]+ has no such object\.$/],
    ['not-in-folder', /^The file is not in the folder that SIGHTLINE_MODEL_FILES names\.$/],
  ])('says of a model %s why it cannot be had', async (name, reason) => {
    const { status, error } = await download(name);
    expect(status).toBe('failed');
    expect(error).toMatch(reason);
  });
});

/** Puts a file into a new bucket, and returns the bucket's name. */
async function publishInBucket(minio: MinioProcess, bytes: Uint8Array): Promise<string> {
  const options = minio.options();
  using media = new S3MediaStore(options);
  await media.prepare();
  using published = new S3PackStore(options);
  await published.putFile(digestOf(bytes), localFileOf(bytes));
  return options.bucket;
}
