import { rejectFaceContract } from '@sightline/contracts/review/reject-face-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from './answer-decision.ts';
import { presentReview } from './present-review.ts';

export const rejectFaceRoute = defineRoute(rejectFaceContract, {
  handler: (context, request) =>
    answerDecision(context, request, { action: 'reject', present: presentReview }),
});
