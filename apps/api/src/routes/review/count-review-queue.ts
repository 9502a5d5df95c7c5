import { countReviewQueueContract } from '@sightline/contracts/review/count-review-queue-contract';
import { readWithSuggestions } from '@sightline/core/matching/read-with-suggestions';
import { defineRoute } from '../../http/define-route.ts';

export const countReviewQueueRoute = defineRoute(countReviewQueueContract, {
  async handler({ database, modelStore }, { query, scope, signal }) {
    const count = query.has_suggestion
      ? await readWithSuggestions(
          { database, models: modelStore },
          { scope, signal },
          async ({ faces }, rule) => (rule === null ? 0 : faces.countSuggested(rule)),
        )
      : await database.withScope(scope, ({ faces }) => faces.countReviewQueue(), signal);
    return { status: 200, body: { count } };
  },
});
