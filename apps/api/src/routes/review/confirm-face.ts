import { confirmFaceContract } from '@sightline/contracts/review/confirm-face-contract';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from './answer-decision.ts';

export const confirmFaceRoute = defineRoute(confirmFaceContract, {
  handler(context, request) {
    const target = { identityId: request.body.fields.identity_id };
    return answerDecision(context, request, { action: 'confirm', target, present });
  },
});

function present({ detection, row, reference }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      review_status: row.reviewStatus,
      identity_id: row.identityId!,
      enrolled: reference !== null,
    },
  } as const;
}
