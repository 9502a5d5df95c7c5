import { listReviewQueueContract } from '@sightline/contracts/review/list-review-queue-contract';
import type { QueuedFace, QueuePosition } from '@sightline/core/detections/face-lists';
import { readWithSuggestions } from '@sightline/core/matching/read-with-suggestions';
import { readCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentQueuedFace } from './present-reviewed-face.ts';
import { QueueCursor, queueCursorOf } from './queue-cursor.ts';

export const listReviewQueueRoute = defineRoute(listReviewQueueContract, {
  async handler({ database, modelStore }, { query, scope, signal }) {
    const suggestedOnly = query.has_suggestion ?? false;
    const body = await readList(
      {
        read: (after: QueuePosition | null, limit) =>
          readWithSuggestions(
            { database, models: modelStore },
            { scope, signal },
            ({ faces }, rule) => faces.reviewQueue({ rule, suggestedOnly }, { after, limit }),
          ),
        positionOf: (face: QueuedFace): QueuePosition => face,
        cursorOf: queueCursorOf,
        present: presentQueuedFace,
      },
      { after: readCursor(QueueCursor, query.cursor), limit: query.limit },
    );
    return { status: 200, body };
  },
});
