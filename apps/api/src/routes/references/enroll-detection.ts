import { enrollDetectionContract } from '@sightline/contracts/references/enroll-detection-contract';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from '../review/answer-decision.ts';

export const enrollDetectionRoute = defineRoute(enrollDetectionContract, {
  handler: (context, request) => answerDecision(context, request, { action: 'enroll', present }),
});

function present({ detection, row, reference }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      identity_id: row.identityId!,
      embedding_id: reference!.id,
      enrolled: true,
    },
  } as const;
}
