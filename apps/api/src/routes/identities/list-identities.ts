import { listIdentitiesContract } from '@sightline/contracts/identities/list-identities-contract';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { inOrder } from '../../http/in-order.ts';
import { BY_LABEL, filterOf } from './identity-query.ts';
import { presentIdentity } from './present-identity.ts';

export const listIdentitiesRoute = defineRoute(listIdentitiesContract, {
  handler(context, request) {
    const filter = filterOf(request.query);
    return answerList(context, request, {
      order: BY_LABEL,
      read: ({ identities }, after, limit) => identities.list(filter, { after, limit }),
      present: presentIdentity,
      whole: {
        ids: ({ identities }, after) => identities.ids(filter, after),
        byIds: async ({ identities }, ids) => inOrder(ids, await identities.byIds(ids)),
      },
    });
  },
});
