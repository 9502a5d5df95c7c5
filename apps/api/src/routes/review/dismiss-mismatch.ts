import { dismissMismatchContract } from '@sightline/contracts/review/dismiss-mismatch-contract';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from './answer-decision.ts';

export const dismissMismatchRoute = defineRoute(dismissMismatchContract, {
  handler: (context, request) =>
    answerDecision(context, request, { action: 'dismissMismatch', present }),
});

function present({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: { detection_id: detection.id, mismatch_reviewed: row.mismatchReviewed },
  } as const;
}
