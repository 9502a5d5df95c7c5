import { listReviewQueueContract } from '@sightline/contracts/review/list-review-queue-contract';
import type { QueuedFace, QueuePosition } from '@sightline/core/detections/face-lists';
import { readWithSuggestions } from '@sightline/core/matching/read-with-suggestions';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentQueuedFace } from './present-reviewed-face.ts';
import { QUEUE_ORDERS } from './queue-cursor.ts';
import { toQueueFilter } from './to-queue-filter.ts';

export const listReviewQueueRoute = defineRoute(listReviewQueueContract, {
  async handler({ database, modelStore }, { query, scope, signal }) {
    const filter = toQueueFilter(query);
    const { sort: order } = query;
    const { after, cursorOf } = QUEUE_ORDERS[order];
    const body = await readList(
      {
        read: (position: QueuePosition | null, limit) =>
          readWithSuggestions(
            { database, models: modelStore },
            { scope, signal },
            ({ faces }, rule) => {
              return faces.reviewQueue({ ...filter, rule }, { order, after: position, limit });
            },
          ),
        positionOf: ({ sortValue, id }: QueuedFace): QueuePosition => ({ value: sortValue, id }),
        cursorOf,
        present: presentQueuedFace,
      },
      { after: after(query.cursor), limit: query.limit },
    );
    return { status: 200, body };
  },
});
