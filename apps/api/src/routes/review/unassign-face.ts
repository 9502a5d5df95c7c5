import { unassignFaceContract } from '@sightline/contracts/review/unassign-face-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from './answer-decision.ts';
import { presentReview } from './present-review.ts';

export const unassignFaceRoute = defineRoute(unassignFaceContract, {
  handler: (context, request) =>
    answerDecision(context, request, { action: 'unassign', present: presentReview }),
});
