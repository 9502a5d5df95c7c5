import { dismissDetectionsContract } from '@sightline/contracts/detections/dismiss-detections-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerDismissal } from '../review/answer-dismissal.ts';

export const dismissDetectionsRoute = defineRoute(dismissDetectionsContract, {
  handler: (context, request) => answerDismissal(context, request, 'dismiss'),
});
