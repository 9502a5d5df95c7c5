import { listUnknownFacesContract } from '@sightline/contracts/detections/list-unknown-faces-contract';
import { presentDetection } from '@sightline/presentation/present-detection';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { byNamedTime } from '../../http/time-cursor.ts';

export const listUnknownFacesRoute = defineRoute(listUnknownFacesContract, {
  handler: (context, request) =>
    answerList(context, request, {
      order: byNamedTime('unknown'),
      read: ({ faces }, after, limit) => faces.unknown({ after, limit }),
      present: presentDetection,
    }),
});
