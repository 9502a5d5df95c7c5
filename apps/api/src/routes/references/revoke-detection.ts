import { revokeDetectionContract } from '@sightline/contracts/references/revoke-detection-contract';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import { defineRoute } from '../../http/define-route.ts';
import { answerDecision } from '../review/answer-decision.ts';

export const revokeDetectionRoute = defineRoute(revokeDetectionContract, {
  handler: (context, request) => answerDecision(context, request, { action: 'revoke', present }),
});

function present({ detection, revoked }: ActedFace) {
  return { status: 200, body: { detection_id: detection.id, removed: revoked.length } } as const;
}
