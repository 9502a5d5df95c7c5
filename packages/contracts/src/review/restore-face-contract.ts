import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { ReviewDecision } from './review-decision.ts';

export const restoreFaceContract = defineContract({
  method: 'POST',
  path: '/api/review/{id}/restore',
  right: 'review',
  operation: 'review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Take back a rejection',
  description:
    'The face waits for review again and gets back the identity from which it was rejected. If the face had no identity or the identity was deleted, the face stays without an identity. The face is not enrolled.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The face after the decision.', ReviewDecision) },
  problems: ['not_found', 'not_a_face', 'not_rejected'],
});
