import { listQueueBucketsContract } from '@sightline/contracts/review/list-queue-buckets-contract';
import type { QueuePosition } from '@sightline/core/detections/face-lists';
import { suggestionRule } from '@sightline/core/matching/read-with-suggestions';
import { activeFaceModel } from '@sightline/core/models/active-face-model';
import { answerBuckets } from '../../http/answer-buckets.ts';
import { defineRoute } from '../../http/define-route.ts';
import { QUEUE_ORDERS } from './queue-cursor.ts';
import { toQueueFilter } from './to-queue-filter.ts';

export const listQueueBucketsRoute = defineRoute(listQueueBucketsContract, {
  async handler(context, request) {
    const { sort } = request.query;
    const filter = toQueueFilter(request.query);
    const model = await activeFaceModel(context.modelStore, request.signal);
    return answerBuckets<QueuePosition['value']>(context, request, {
      list: '/api/review',
      direction: 'desc',
      read: async (stores) => {
        const rule = await suggestionRule(stores, model);
        return stores.faces.queueBuckets({ ...filter, rule }, sort);
      },
      cursorOf: QUEUE_ORDERS[sort].cursorOf,
    });
  },
});
