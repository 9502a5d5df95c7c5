import { countReviewQueueContract } from '@sightline/contracts/review/count-review-queue-contract';
import { readWithSuggestions } from '@sightline/core/matching/read-with-suggestions';
import { defineRoute } from '../../http/define-route.ts';
import { toQueueFilter } from './to-queue-filter.ts';

export const countReviewQueueRoute = defineRoute(countReviewQueueContract, {
  async handler({ database, modelStore }, { query, scope, signal }) {
    const filter = toQueueFilter(query);
    const count =
      Object.keys(filter).length > 0
        ? await readWithSuggestions(
            { database, models: modelStore },
            { scope, signal },
            ({ faces }, rule) => faces.countReviewQueue({ ...filter, rule }),
          )
        : await database.withScope(
            scope,
            ({ faces }) => faces.countReviewQueue({ rule: null }),
            signal,
          );
    return { status: 200, body: { count } };
  },
});
