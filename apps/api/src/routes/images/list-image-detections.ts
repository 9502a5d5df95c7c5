import { listImageDetectionsContract } from '@sightline/contracts/images/list-image-detections-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { presentDetection } from '@sightline/presentation/present-detection';
import { answerList, byId } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';

export const listImageDetectionsRoute = defineRoute(listImageDetectionsContract, {
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    // The whole list is streamed, so an unknown image is refused before the stream begins.
    const source = await context.database.withScope(
      scope,
      ({ sources }) => sources.byId(path.id),
      signal,
    );
    if (source === null) throw new NotFound('image', path.id);
    return answerList(context, request, {
      order: byId(`image ${path.id}`),
      read: ({ detections }, after, limit) =>
        detections.pageOfSource(path.id, { type: query.type, after, limit }),
      present: presentDetection,
    });
  },
});
