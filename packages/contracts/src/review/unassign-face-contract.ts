import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { ReviewDecision } from './review-decision.ts';

export const unassignFaceContract = defineContract({
  method: 'POST',
  path: '/api/review/{id}/unassign',
  right: 'review',
  operation: 'review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Remove the identity of a face',
  description:
    'The face waits for review again, without identity and references. Its dismissal ends.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The face after the decision.', ReviewDecision) },
  problems: ['not_found', 'not_a_face'],
});
