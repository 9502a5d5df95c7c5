import {
  REPROCESS_ITEM_PROBLEMS,
  reprocessImagesContract,
  type ReprocessResult,
} from '@sightline/contracts/recognition/reprocess-images-contract';
import { settleAlone } from '@sightline/core/database/settle-alone';
import { DomainError } from '@sightline/core/domain-error';
import { reprocessImage, type ReprocessRequest } from '@sightline/core/recognition/reprocess-image';
import type { DetectionTypes } from '@sightline/core/detection-type';
import { presentDetectionRun } from '@sightline/presentation/present-detection-run';
import { presentItemError } from '@sightline/presentation/present-item-error';
import type { z } from 'zod';
import type { ApiContext } from '../../api-context.ts';
import { defineRoute } from '../../http/define-route.ts';
import { mapConcurrently } from '../../images/map-concurrently.ts';
import { waitOutOverload } from '../../images/wait-out-overload.ts';

type Result = z.input<typeof ReprocessResult>;

export const reprocessImagesRoute = defineRoute(reprocessImagesContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { source_image_ids: ids, type = 'all', replace = false } = body.fields;
    const results = await mapConcurrently(ids, context.batchConcurrency, (id, index) =>
      reprocessOne(context, { scope, id, types: type, replace, index }, signal),
    );
    const result = { type, results };
    await settleAlone(context.database, { scope, result }, { settle: request.settle(answerWith) });
    return answerWith(result);
  },
});

function answerWith(answer: { readonly type: DetectionTypes; readonly results: Result[] }) {
  return { status: 200, body: { total: answer.results.length, ...answer } } as const;
}

/** A problem of this image becomes its result; if inference or a store fails, the request fails. */
async function reprocessOne(
  context: ApiContext,
  { index, ...request }: ReprocessRequest & { readonly index: number },
  signal: AbortSignal,
): Promise<Result> {
  const item = { index, source_image_id: request.id };
  try {
    const run = await waitOutOverload(() => reprocessImage(context, request, { signal }), signal);
    const { faces, objects } = presentDetectionRun(run);
    return { ...item, faces, objects };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const code = REPROCESS_ITEM_PROBLEMS.find((listed) => error.code === listed);
    if (code === undefined) throw error;
    return { ...item, error: { ...presentItemError(error), code } };
  }
}
