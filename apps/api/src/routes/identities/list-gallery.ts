import { listGalleryContract } from '@sightline/contracts/identities/list-gallery-contract';
import { requireIdentity } from '@sightline/core/database/require-identity';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { BY_TIME } from '../../http/time-cursor.ts';
import { presentGalleryItem } from './present-gallery-item.ts';

export const listGalleryRoute = defineRoute(listGalleryContract, {
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    const { id } = path;
    await requireIdentity(context.database, { scope, id }, signal);
    return answerList(context, request, {
      order: BY_TIME,
      read: ({ faces }, after, limit) =>
        faces.gallery(id, query.sort ?? 'newest', { after, limit }),
      present: presentGalleryItem,
    });
  },
});
