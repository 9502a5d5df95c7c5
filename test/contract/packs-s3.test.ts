import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { S3Buckets } from '@sightline/media/s3/s3-buckets';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { S3PackStore } from '@sightline/media/s3/s3-pack-store';
import { BucketSource } from '@sightline/model-downloads/published/bucket-source';
import { describeWithGarage, describeWithS3, type TestS3 } from '../support/servers/minio.ts';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { describePackStore } from './pack-store.contract.ts';

function describeBuckets(startS3: () => Promise<TestS3>): void {
  const resources = new AsyncDisposableStack();
  let media: S3MediaStore;
  let packs: S3PackStore;
  let buckets: S3Buckets;
  const bucket = `sightline-${randomUUID()}`;
  beforeAll(async () => {
    const s3 = resources.use(await startS3());
    const { endpoint } = s3;
    const options = { endpoint, bucket, region: 'us-east-1', keys: () => s3 };
    media = resources.use(new S3MediaStore(options));
    packs = resources.use(new S3PackStore(options));
    buckets = resources.use(new S3Buckets(options));
    await media.prepare();
  });
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

  test('an object of a bucket is a source of models, from any byte on', async () => {
    const { signal } = new AbortController();
    const sha256 = 'd'.repeat(64);
    await packs.putFile(sha256, localFileOf(Buffer.from('0123456789')));
    const at = (key: string) =>
      new BucketSource(new URL(`s3://${bucket}/${key}`), (range) => buckets.open(range, signal));
    const read = async (offset: number, validator: string | null) => {
      const found = await at(`models/files/${sha256}`).open({ offset, validator }, signal);
      return { ...found, body: Buffer.concat(await Array.fromAsync(found.body)).toString() };
    };
    const { validator, ...whole } = await read(0, null);
    expect(whole).toEqual({ start: 0, total: 10, body: '0123456789' });
    expect(await read(7, validator)).toMatchObject({ start: 7, total: 10, body: '789' });
    for (const [offset, known] of [
      [7, '"another"'],
      [10, validator],
    ] as const) {
      await expect(read(offset, known)).rejects.toMatchObject({ isChanged: true });
    }
    await expect(at('nothing').open({ offset: 0, validator }, signal)).rejects.toThrow(
      'has no such object',
    );
  });
}

describeWithS3('a bucket with models', describeBuckets);
describeWithGarage('a bucket with models in a Garage', describeBuckets);
