import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { MediaStore } from '@sightline/core/media/media-store';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { watchBucket } from '@sightline/composition/media/watch-bucket';
import { processFaults } from '../faults/breakable-service.ts';
import { cannotFillDisk, fullness } from '../faults/full-disk.ts';
import {
  describeWithGarage,
  describeWithMinio,
  describeWithS3,
  type TestS3,
} from '../support/servers/minio.ts';
import { MinioProcess } from '../support/servers/minio-process.ts';
import { IS_SOAK } from '../support/gates/soak.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { describeAnswers, type Outage } from './answering-store.contract.ts';
import { someObject } from './media-store/some-object.ts';
import { describeMediaStore } from './media-store.contract.ts';

function describeBuckets(startS3: () => Promise<TestS3>): void {
  describeMediaStore('media-s3', async () => {
    const s3 = await startS3();
    const bucket = `sightline-${randomUUID()}`;
    const store = new S3MediaStore({
      endpoint: s3.endpoint,
      bucket,
      region: 'us-east-1',
      keys: () => s3,
    });
    await store.prepare();
    return {
      store,
      async [Symbol.asyncDispose]() {
        store[Symbol.dispose]();
        await s3[Symbol.asyncDispose]();
      },
    };
  });
}

describeWithS3('a bucket of its own', describeBuckets);
if (IS_SOAK) describeWithGarage('a bucket of its own in a Garage', describeBuckets);

/** The size of the disk, enough for a MinIO with hardly any objects. */
const DISK_MEGABYTES = 64;

/** Begins an outage by a full disk with a refused put, because only a put shows that an S3 server is full. */
function refusedPut(store: MediaStore, full: Outage): Outage {
  return {
    async begin() {
      await full.begin();
      const { key, bytes } = someObject(100_000);
      await expect(store.put(key, bytes)).rejects.toMatchObject({
        message: 'The media store is full.',
      });
    },
    end: () => full.end(),
  };
}

describeWithMinio('a bucket that is watched', () => {
  const impossible = cannotFillDisk();
  describeAnswers(
    'media-s3',
    async () => {
      const disk = mountSmall(DISK_MEGABYTES);
      const minio = await MinioProcess.start(disk?.path);
      const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
      const store = watchBucket(minio.settings(), { logger });
      await store.prepare();
      return {
        store,
        outages: {
          ...processFaults(minio),
          ...(disk !== null && { full: refusedPut(store, fullness(disk.path)) }),
        },
        async [Symbol.asyncDispose]() {
          store[Symbol.dispose]();
          await minio[Symbol.asyncDispose]();
          disk?.[Symbol.dispose]();
        },
      };
    },
    {
      code: 'store_unavailable',
      outages: ['killed', 'hung', ...(impossible === undefined ? ['full'] : [])],
    },
  );
});
