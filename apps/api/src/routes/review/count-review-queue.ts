import { countReviewQueueContract } from '@sightline/contracts/review/count-review-queue-contract';
import { defineRoute } from '../../http/define-route.ts';
import { readWithSuggestions } from './read-with-suggestions.ts';

export const countReviewQueueRoute = defineRoute(countReviewQueueContract, {
  async handler(context, { query, scope, signal }) {
    const count = query.has_suggestion
      ? await readWithSuggestions(context, { scope, signal }, async ({ faces }, rule) =>
          rule === null ? 0 : faces.countSuggested(rule),
        )
      : await context.database.withScope(scope, ({ faces }) => faces.countReviewQueue(), signal);
    return { status: 200, body: { count } };
  },
});
