import { restoreFaceContract } from '@sightline/contracts/review/restore-face-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from './answer-decision.ts';
import { presentReview } from './present-review.ts';

export const restoreFaceRoute = defineRoute(restoreFaceContract, {
  handler: (context, request) =>
    answerDecision(context, request, { action: 'restore', present: presentReview }),
});
