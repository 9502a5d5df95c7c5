import { reprocessImageContract } from '@sightline/contracts/recognition/reprocess-image-contract';
import { reprocessImage } from '@sightline/core/recognition/reprocess-image';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import { presentDetectionRun } from '@sightline/presentation/present-detection-run';
import { defineRoute } from '../../http/define-route.ts';

export const reprocessImageRoute = defineRoute(reprocessImageContract, {
  analyzesAtOnce: true,
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    const { type = 'all', replace = false } = query;
    const run = await reprocessImage(
      context,
      { scope, id: path.id, types: type, replace },
      { signal, settle: request.settle(answerWith) },
    );
    return answerWith(run);
  },
});

function answerWith(run: ImageResult) {
  return { status: 200, body: presentDetectionRun(run) } as const;
}
