import {
  BULK_ITEM_PROBLEMS,
  type BulkResult,
  detectBulkContract,
  MAX_BULK_IMAGES,
  MAX_BULK_JOB_IMAGES,
} from '@sightline/contracts/recognition/detect-bulk-contract';
import { settleAlone } from '@sightline/core/database/settle-alone';
import type { DetectionTypes } from '@sightline/core/detection-type';
import { detectPosted } from '@sightline/core/recognition/detect-posted';
import { presentBulkFailure, presentBulkResult } from '@sightline/presentation/present-bulk-result';
import { presentItemError } from '@sightline/presentation/present-item-error';
import type { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { BATCH_UPLOAD } from '../../images/image-upload.ts';
import { findPostedImages } from '../../images/find-posted-images.ts';
import { isProblemOf } from '../../images/is-problem-of.ts';
import { requireCount } from '../../images/require-count.ts';
import { runBatch } from '../../images/run-batch.ts';

export const detectBulkRoute = defineRoute(detectBulkContract, {
  upload: BATCH_UPLOAD,
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { type = 'all', replace = false } = body.fields;
    const images = findPostedImages(body, context.imageLimits);
    requireCount(images.length, COUNT);
    const results = await runBatch(context, images, {
      work: async (image, index) =>
        presentBulkResult(
          { ...image, index },
          await detectPosted(context, { scope, image, types: type, replace }, { signal }),
        ),
      failed: (image, error, index) =>
        isProblemOf(BULK_ITEM_PROBLEMS, error)
          ? presentBulkFailure({ ...image, index }, presentItemError(error))
          : null,
    });
    const result = { type, results };
    await settleAlone(context.database, { scope, result }, { settle: request.settle(answerWith) });
    return answerWith(result);
  },
});

const COUNT = {
  path: 'images',
  least: 1,
  most: MAX_BULK_IMAGES,
  hint: `; with async=true up to ${MAX_BULK_JOB_IMAGES} are accepted`,
};

function answerWith(answer: {
  readonly type: DetectionTypes;
  readonly results: z.input<typeof BulkResult>[];
}) {
  return { status: 200, body: { total: answer.results.length, ...answer } } as const;
}
