import { listGalleryBucketsContract } from '@sightline/contracts/identities/list-gallery-buckets-contract';
import { requireIdentity } from '@sightline/core/database/require-identity';
import { answerBuckets } from '../../http/answer-buckets.ts';
import { defineRoute } from '../../http/define-route.ts';
import { timeCursorOf } from '../../http/time-cursor.ts';

export const listGalleryBucketsRoute = defineRoute(listGalleryBucketsContract, {
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    const { id } = path;
    const order = query.sort ?? 'newest';
    await requireIdentity(context.database, { scope, id }, signal);
    return answerBuckets(context, request, {
      list: `/api/identities/${id}/gallery`,
      direction: order === 'newest' ? 'desc' : 'asc',
      read: ({ faces }) => faces.galleryBuckets(id, order),
      cursorOf: (position) => timeCursorOf({ detectedAt: position.value, id: position.id }),
    });
  },
});
