import { reprocessImageContract } from '@sightline/contracts/recognition/reprocess-image-contract';
import type { Database } from '@sightline/core/database/database';
import { reprocessImage } from '@sightline/core/recognition/reprocess-image';
import { reprocessImages } from '@sightline/core/recognition/reprocess-images';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import { NotFound } from '@sightline/core/store/not-found';
import type { Scope } from '@sightline/core/store/scope';
import { presentDetectionRun } from '@sightline/presentation/present-detection-run';
import { answerWithJob } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

export const reprocessImageRoute = defineRoute(reprocessImageContract, {
  analyzesAtOnce: (query) => query.async !== true,
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    const { type: types = 'all', replace = false } = query;
    if (query.async === true) {
      await requireImage(context.database, { scope, id: path.id }, signal);
      const settle = request.settle(answerWithJob);
      const batch = { scope, ids: [path.id], types, replace };
      return answerWithJob(await reprocessImages(context, batch, { signal, settle }));
    }
    const settle = request.settle(answerWith);
    const image = { scope, id: path.id, types, replace };
    return answerWith(await reprocessImage(context, image, { signal, settle }));
  },
});

/** @throws NotFound */
async function requireImage(
  database: Database,
  { scope, id }: { readonly scope: Scope; readonly id: number },
  signal: AbortSignal,
): Promise<void> {
  const source = await database.withScope(scope, ({ sources }) => sources.byId(id), signal);
  if (source === null) throw new NotFound('image', id);
}

function answerWith(run: ImageResult) {
  return { status: 200, body: presentDetectionRun(run) } as const;
}
