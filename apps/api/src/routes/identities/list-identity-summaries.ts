import { listIdentitySummariesContract } from '@sightline/contracts/identities/list-identity-summaries-contract';
import { activeFaceModel } from '@sightline/core/models/active-face-model';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { inOrder } from '../../http/in-order.ts';
import { BY_LABEL, filterOf } from './identity-query.ts';
import { presentIdentityDetails } from './present-identity.ts';

export const listIdentitySummariesRoute = defineRoute(listIdentitySummariesContract, {
  async handler(context, request) {
    const filter = filterOf(request.query);
    const model = await activeFaceModel(context.modelStore, request.signal);
    let total: number | null = null;
    return answerList(context, request, {
      order: BY_LABEL,
      read: async ({ identities }, after, limit) => {
        // The count runs in the transaction of the first page, so that count and page agree.
        total ??= await identities.count(filter);
        const { items, hasMore } = await identities.list(filter, { after, limit });
        return { items: await identities.withDetails(items, model?.id ?? null), hasMore };
      },
      present: presentIdentityDetails,
      whole: {
        ids: async ({ identities }, after) => {
          const ids = await identities.ids(filter, after);
          total = after === null ? ids.length : await identities.count(filter);
          return ids;
        },
        byIds: async ({ identities }, ids) => {
          const items = inOrder(ids, await identities.byIds(ids));
          // The answer has none of the identities that were deleted since the read of their ids.
          total = (total ?? 0) - (ids.length - items.length);
          return identities.withDetails(items, model?.id ?? null);
        },
      },
      members: () => ({ total: total ?? 0 }),
    });
  },
});
