import { randomUUID } from 'node:crypto';
import { S3MediaStore } from '@sightline/media-s3/s3-media-store';
import { describeWithS3 } from '../support/minio.ts';
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
