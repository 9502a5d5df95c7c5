import { listImageBucketsContract } from '@sightline/contracts/images/list-image-buckets-contract';
import { answerBuckets } from '../../http/answer-buckets.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cursorOfValue } from './image-order.ts';
import { toSourceFilter } from './to-source-filter.ts';

export const listImageBucketsRoute = defineRoute(listImageBucketsContract, {
  handler(context, request) {
    const { sort } = request.query;
    const filter = toSourceFilter(request.query);
    return answerBuckets<Date | number | null>(context, request, {
      list: '/api/images',
      direction: sort === 'oldest' || sort === 'fewest_detections' ? 'asc' : 'desc',
      read: ({ sources }) => sources.buckets(filter, sort),
      cursorOf: (position) => cursorOfValue(sort, position),
    });
  },
});
