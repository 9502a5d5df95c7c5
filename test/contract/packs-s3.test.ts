import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { S3MediaStore } from '@sightline/media-s3/s3-media-store';
import { S3PackStore } from '@sightline/media-s3/s3-pack-store';
import { CONTAINER_START_MS } from '../support/gates/has-docker.ts';
import { describeWithS3 } from '../support/servers/minio.ts';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { describePackStore } from './pack-store.contract.ts';

describeWithS3('a bucket with models', (startS3) => {
  const resources = new AsyncDisposableStack();
  let media: S3MediaStore;
  let packs: S3PackStore;
  beforeAll(async () => {
    const s3 = resources.use(await startS3());
    const { endpoint } = s3;
    const bucket = `sightline-${randomUUID()}`;
    const options = { endpoint, bucket, region: 'us-east-1', readKeys: () => s3 };
    media = resources.use(new S3MediaStore(options));
    packs = resources.use(new S3PackStore(options));
    await media.prepare();
  }, CONTAINER_START_MS);
  afterAll(() => resources.disposeAsync());

  describePackStore('packs-s3', () =>
    Promise.resolve({ store: packs, [Symbol.asyncDispose]: () => Promise.resolve() }),
  );

  test('media does not list them, so they are no orphans', async () => {
    await packs.putFile('b'.repeat(64), localFileOf(new Uint8Array(9)));
    await packs.putManifest('c'.repeat(64), '{}');
    for (const prefix of ['', 'models/']) {
      expect(await Array.fromAsync(media.list(prefix))).toEqual([]);
    }
  });
});
