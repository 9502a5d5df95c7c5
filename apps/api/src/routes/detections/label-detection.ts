import { labelDetectionContract } from '@sightline/contracts/detections/label-detection-contract';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of-expected.ts';
import { answerDecision } from '../review/answer-decision.ts';
import { labelTarget } from './label-target.ts';

export const labelDetectionRoute = defineRoute(labelDetectionContract, {
  handler(context, request) {
    const target = labelTarget(request.body.fields);
    if (target === null) throw oneOfExpected(['label', 'identity_id']);
    return answerDecision(context, request, { action: 'relabel', target, present });
  },
});

function present({ detection, row, identity, reference }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      identity_id: identity!.id,
      label: identity!.label,
      review_status: row.reviewStatus,
      enrolled: reference !== null,
    },
  } as const;
}
