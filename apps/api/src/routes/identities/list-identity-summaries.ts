import { listIdentitySummariesContract } from '@sightline/contracts/identities/list-identity-summaries-contract';
import type { IdentityDetails } from '@sightline/core/identities/identity';
import { activeFaceModel } from '@sightline/core/models/active-face-model';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { inOrder } from '../../http/in-order.ts';
import { presentIdentityDetails } from './present-identity.ts';
import { byLabel, byPlace, isByLabel, type SummaryList } from './summary-lists.ts';
import { summaryFilterOf } from './summary-order.ts';

interface Summary<Position> {
  readonly details: IdentityDetails;
  /** Null in a whole list, which has no cursor. */
  readonly position: Position | null;
}

type Shown = ReturnType<typeof presentIdentityDetails>;

export const listIdentitySummariesRoute = defineRoute(listIdentitySummariesContract, {
  async handler(context, request) {
    const { query, signal } = request;
    const filter = summaryFilterOf(query);
    const model = await activeFaceModel(context.modelStore, signal);
    const modelId = model?.id ?? null;
    let total: number | null = null;
    const answer = <Position>({ order, page, ids }: SummaryList<Position>) =>
      answerList<Summary<Position>, Position, Shown, { readonly total: number }>(context, request, {
        order: { ...order, positionOf: ({ position }) => position! },
        read: async (stores, after, limit) => {
          // The count runs in the transaction of the first page, so that count and page agree.
          total ??= await stores.identities.count(filter);
          const { items, hasMore } = await page(stores, after, limit);
          const found = items.map(({ identity }) => identity);
          const details = await stores.identities.withDetails(found, modelId);
          return {
            items: details.map((each, i) => ({ details: each, position: items[i]!.position })),
            hasMore,
          };
        },
        present: ({ details }) => presentIdentityDetails(details),
        whole: {
          ids: async (stores, after) => {
            const found = await ids(stores, after);
            total = after === null ? found.length : await stores.identities.count(filter);
            return found;
          },
          byIds: async ({ identities }, found) => {
            const items = inOrder(found, await identities.byIds(found));
            // The answer has none of the identities that were deleted since the read of their ids.
            total = (total ?? 0) - (found.length - items.length);
            const details = await identities.withDetails(items, modelId);
            return details.map((each) => ({ details: each, position: null }));
          },
        },
        members: () => ({ total: total ?? 0 }),
      });
    return isByLabel(query) ? answer(byLabel(filter)) : answer(byPlace(filter, query.sort));
  },
});
