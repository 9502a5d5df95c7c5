import { randomUUID } from 'node:crypto';
import { S3MediaStore } from '@sightline/media-s3/s3-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { watchBucket } from '@sightline/composition/media/watch-bucket';
import { processFaults } from '../faults/breakable-service.ts';
import { describeWithMinio, describeWithS3 } from '../support/minio.ts';
import { MinioProcess } from '../support/minio-process.ts';
import { describeAnswers } from './answering-store.contract.ts';
import { describeMediaStore } from './media-store.contract.ts';

describeWithS3('a bucket of its own', (startS3) => {
  describeMediaStore('media-s3', async () => {
    const s3 = await startS3();
    const bucket = `sightline-${randomUUID()}`;
    const store = new S3MediaStore({
      ...{ endpoint: s3.endpoint, bucket, region: 'us-east-1' },
      readKeys: () => s3,
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
});

describeWithMinio('a bucket that is watched', () => {
  describeAnswers(
    'media-s3',
    async () => {
      const minio = await MinioProcess.start();
      const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
      const store = watchBucket(minio.settings(), { logger });
      await store.prepare();
      return {
        store,
        outages: processFaults(minio),
        async [Symbol.asyncDispose]() {
          store[Symbol.dispose]();
          await minio[Symbol.asyncDispose]();
        },
      };
    },
    { code: 'store_unavailable', outages: ['killed', 'hung'] },
  );
});
