import {
  MAX_BATCH_IMAGES,
  testBatchContract,
} from '@sightline/contracts/recognition/test-batch-contract';
import { readUploaded } from '@sightline/core/recognition/read-posted';
import { waitOutOverload } from '@sightline/core/analysis/wait-out-overload';
import { testImage } from '@sightline/core/recognition/test-image';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import { defineRoute } from '../../http/define-route.ts';
import { BATCH_UPLOAD } from '../../images/image-upload.ts';
import { imageOfBatch } from '../../images/read-image-source.ts';
import { requireCount } from '../../images/require-count.ts';
import { runBatch } from '../../images/run-batch.ts';
import { presentImageTest } from './present-image-test.ts';

export const testBatchRoute = defineRoute(testBatchContract, {
  upload: BATCH_UPLOAD,
  async handler(context, { query, body, scope, signal }) {
    const type = body.fields.type ?? query.type ?? 'all';
    const files = body.files.filter(({ field }) => field === 'file');
    requireCount(files.length, { path: 'file', least: 1, most: MAX_BATCH_IMAGES });
    const results = await runBatch(context, files, {
      work: async (file, index) => {
        signal.throwIfAborted();
        const posted = imageOfBatch(file, context.imageLimits);
        using read = await readUploaded(context.imageMemory, posted, signal);
        const image = read.bytes;
        const test = () => testImage(context, { scope, image, types: type }, signal);
        return {
          ...presentItem(file, index),
          ...presentImageTest(await waitOutOverload(test, signal)),
        };
      },
      failed: (file, { message }, index) => ({ ...presentItem(file, index), error: message }),
    });
    return { status: 200, body: { total: files.length, type, results } };
  },
});

function presentItem({ filename }: UploadedFile, index: number) {
  return { index, filename: filename === '' ? null : filename };
}
