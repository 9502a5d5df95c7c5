import { listRejectedFacesContract } from '@sightline/contracts/identities/list-rejected-faces-contract';
import { requireIdentity } from '@sightline/core/database/require-identity';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { byNamedTime } from '../../http/time-cursor.ts';
import { presentGalleryItem } from './present-gallery-item.ts';

export const listRejectedFacesRoute = defineRoute(listRejectedFacesContract, {
  async handler(context, request) {
    const { path, scope, signal } = request;
    const { id } = path;
    await requireIdentity(context.database, { scope, id }, signal);
    return answerList(context, request, {
      order: byNamedTime('rejected'),
      read: ({ faces }, after, limit) => faces.rejected(id, { after, limit }),
      present: presentGalleryItem,
    });
  },
});
