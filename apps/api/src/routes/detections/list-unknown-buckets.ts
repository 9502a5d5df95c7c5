import { listUnknownBucketsContract } from '@sightline/contracts/detections/list-unknown-buckets-contract';
import { answerBuckets } from '../../http/answer-buckets.ts';
import { defineRoute } from '../../http/define-route.ts';
import { byNamedTime } from '../../http/time-cursor.ts';

export const listUnknownBucketsRoute = defineRoute(listUnknownBucketsContract, {
  handler: (context, { scope, caller }) =>
    answerBuckets(
      context,
      { scope, caller },
      {
        list: '/api/detections/unknown',
        direction: 'desc',
        read: ({ faces }) => faces.unknownBuckets(),
        cursorOf: ({ value, id }) => byNamedTime('unknown').cursorOf({ detectedAt: value, id }),
      },
    ),
});
