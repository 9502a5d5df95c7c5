import {
  MAX_REPROCESS_IMAGES,
  REPROCESS_ITEM_PROBLEMS,
  reprocessImagesContract,
  type ReprocessResult,
} from '@sightline/contracts/recognition/reprocess-images-contract';
import { MAX_IDS } from '@sightline/contracts/record-id';
import { waitOutOverload } from '@sightline/core/analysis/wait-out-overload';
import { settleAlone } from '@sightline/core/database/settle-alone';
import type { DetectionTypes } from '@sightline/core/detection-type';
import { reprocessImage } from '@sightline/core/recognition/reprocess-image';
import { presentItemError } from '@sightline/presentation/present-item-error';
import {
  presentReprocessFailure,
  presentReprocessResult,
} from '@sightline/presentation/present-reprocess-result';
import type { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { isProblemOf } from '../../images/is-problem-of.ts';
import { requireCount } from '../../images/require-count.ts';
import { runBatch } from '../../images/run-batch.ts';

export const reprocessImagesRoute = defineRoute(reprocessImagesContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { source_image_ids: ids, type = 'all', replace = false } = body.fields;
    requireCount(ids.length, COUNT);
    const results = await runBatch(context, ids, {
      work: async (id, index) => {
        const wanted = { scope, id, types: type, replace };
        const run = await waitOutOverload(
          () => reprocessImage(context, wanted, { signal }),
          signal,
        );
        return presentReprocessResult({ index, sourceImageId: id }, run);
      },
      failed: (id, error, index) =>
        isProblemOf(REPROCESS_ITEM_PROBLEMS, error)
          ? presentReprocessFailure({ index, sourceImageId: id }, presentItemError(error))
          : null,
    });
    const result = { type, results };
    await settleAlone(context.database, { scope, result }, { settle: request.settle(answerWith) });
    return answerWith(result);
  },
});

const COUNT = {
  path: 'source_image_ids',
  least: 0,
  most: MAX_REPROCESS_IMAGES,
  hint: `; with async=true up to ${MAX_IDS} are accepted`,
};

function answerWith(answer: {
  readonly type: DetectionTypes;
  readonly results: z.input<typeof ReprocessResult>[];
}) {
  return { status: 200, body: { total: answer.results.length, ...answer } } as const;
}
