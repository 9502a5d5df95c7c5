import {
  BULK_ITEM_PROBLEMS,
  type BulkResult,
  detectBulkContract,
  MAX_BULK_IMAGES,
  MAX_BULK_JOB_IMAGES,
} from '@sightline/contracts/recognition/detect-bulk-contract';
import { settleAlone } from '@sightline/core/database/settle-alone';
import { detectBulk, type DetectBulkRequest } from '@sightline/core/recognition/detect-bulk';
import { detectPosted } from '@sightline/core/recognition/detect-posted';
import { presentBulkFailure, presentBulkResult } from '@sightline/presentation/present-bulk-result';
import { presentItemError } from '@sightline/presentation/present-item-error';
import type { z } from 'zod';
import type { ApiContext } from '../../context/api-context.ts';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { findPostedImages } from '../../images/find-posted-images.ts';
import { BATCH_UPLOAD } from '../../images/image-upload.ts';
import { isOfItem } from '../../images/is-of-item.ts';
import { requireCount } from '../../images/require-count.ts';
import { runBatch } from '../../images/run-batch.ts';

const COUNT = {
  path: 'images',
  least: 1,
  most: MAX_BULK_IMAGES,
  hint: `; with async=true up to ${MAX_BULK_JOB_IMAGES} are accepted`,
};
const JOB_COUNT = { path: 'images', least: 1, most: MAX_BULK_JOB_IMAGES };

type Result = z.input<typeof BulkResult>;

export const detectBulkRoute = defineRoute(detectBulkContract, {
  upload: BATCH_UPLOAD,
  createsJob: (query) => query.async === true,
  async handler(context, request) {
    const { query, body, scope, signal } = request;
    const { type: types = 'all', replace = false } = body.fields;
    const images = findPostedImages(body, context.imageLimits);
    const batch = { scope, images, types, replace };
    if (query.async === true) {
      requireCount(images.length, JOB_COUNT);
      const settle = request.settle(answerWithBatch);
      return answerWithBatch(await detectBulk(context, batch, { signal, settle }));
    }
    requireCount(images.length, COUNT);
    const result = { type: types, results: await detectEach(context, batch, signal) };
    await settleAlone(context.database, { scope, result }, { settle: request.settle(answerWith) });
    return answerWith(result);
  },
});

/** The problem of an image becomes the result of that image. If inference or a store is unavailable, the request fails. */
function detectEach(
  context: ApiContext,
  { images, ...batch }: DetectBulkRequest,
  signal: AbortSignal,
): Promise<Result[]> {
  return runBatch(context, images, {
    work: async (image, index) => {
      const run = await detectPosted(context, { ...batch, image }, { signal });
      return presentBulkResult({ ...image, index }, run);
    },
    failed: (image, error, index) =>
      isOfItem(BULK_ITEM_PROBLEMS, error)
        ? presentBulkFailure({ ...image, index }, presentItemError(error))
        : null,
  });
}

function answerWith(answer: {
  readonly type: DetectBulkRequest['types'];
  readonly results: Result[];
}) {
  return { status: 200, body: { total: answer.results.length, ...answer } } as const;
}
