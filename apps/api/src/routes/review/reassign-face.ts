import { reassignFaceContract } from '@sightline/contracts/review/reassign-face-contract';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of-expected.ts';
import { labelTarget } from '../detections/label-target.ts';
import { answerDecision } from './answer-decision.ts';

export const reassignFaceRoute = defineRoute(reassignFaceContract, {
  handler(context, request) {
    const { identity_id, name } = request.body.fields;
    const target = labelTarget({ identity_id, label: name });
    if (target === null) throw oneOfExpected(['identity_id', 'name']);
    return answerDecision(context, request, { action: 'reassign', target, present });
  },
});

function present({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      review_status: row.reviewStatus,
      identity_id: row.identityId!,
    },
  } as const;
}
