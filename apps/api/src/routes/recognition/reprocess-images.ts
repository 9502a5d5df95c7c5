import {
  MAX_REPROCESS_IMAGES,
  REPROCESS_ITEM_PROBLEMS,
  reprocessImagesContract,
  type ReprocessResult,
} from '@sightline/contracts/recognition/reprocess-images-contract';
import { MAX_IDS } from '@sightline/contracts/record-id';
import { waitOutOverload } from '@sightline/core/analysis/wait-out-overload';
import { settleAlone } from '@sightline/core/database/settle-alone';
import { reprocessImage } from '@sightline/core/recognition/reprocess-image';
import {
  reprocessImages,
  type ReprocessImagesRequest,
} from '@sightline/core/recognition/reprocess-images';
import { presentItemError } from '@sightline/presentation/present-item-error';
import {
  presentReprocessFailure,
  presentReprocessResult,
} from '@sightline/presentation/present-reprocess-result';
import type { z } from 'zod';
import type { ApiContext } from '../../context/api-context.ts';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { isOfItem } from '../../images/is-of-item.ts';
import { requireCount } from '../../images/require-count.ts';
import { runBatch } from '../../images/run-batch.ts';

const COUNT = {
  path: 'source_image_ids',
  least: 0,
  most: MAX_REPROCESS_IMAGES,
  hint: `; with async=true up to ${MAX_IDS} are accepted`,
};

type Result = z.input<typeof ReprocessResult>;

export const reprocessImagesRoute = defineRoute(reprocessImagesContract, {
  async handler(context, request) {
    const { query, body, scope, signal } = request;
    const { source_image_ids: ids, type: types = 'all', replace = false } = body.fields;
    const batch = { scope, ids, types, replace };
    if (query.async === true) {
      const settle = request.settle(answerWithBatch);
      return answerWithBatch(await reprocessImages(context, batch, { signal, settle }));
    }
    requireCount(ids.length, COUNT);
    const result = { type: types, results: await reprocessEach(context, batch, signal) };
    await settleAlone(context.database, { scope, result }, { settle: request.settle(answerWith) });
    return answerWith(result);
  },
});

/** The problem of an image becomes the result of that image. If inference or a store is unavailable, the request fails. */
function reprocessEach(
  context: ApiContext,
  { ids, ...batch }: ReprocessImagesRequest,
  signal: AbortSignal,
): Promise<Result[]> {
  return runBatch(context, ids, {
    work: async (id, index) => {
      const reprocess = () => reprocessImage(context, { ...batch, id }, { signal });
      const run = await waitOutOverload(reprocess, signal);
      return presentReprocessResult({ index, sourceImageId: id }, run);
    },
    failed: (id, error, index) =>
      isOfItem(REPROCESS_ITEM_PROBLEMS, error)
        ? presentReprocessFailure({ index, sourceImageId: id }, presentItemError(error))
        : null,
  });
}

function answerWith(answer: {
  readonly type: ReprocessImagesRequest['types'];
  readonly results: Result[];
}) {
  return { status: 200, body: { total: answer.results.length, ...answer } } as const;
}
