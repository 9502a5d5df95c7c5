import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { ReviewDecision } from './review-decision.ts';

export const rejectFaceContract = defineContract({
  method: 'POST',
  path: '/api/review/{id}/reject',
  right: 'review',
  operation: 'review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Reject the identity of a face',
  description:
    'The face loses its identity and its references. The service does not match the face with the rejected identity or suggest that identity again, until the face is restored or confirmed as that identity. A face without an identity also gets the status rejected.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The face after the decision.', ReviewDecision) },
  problems: ['not_found', 'not_a_face'],
});
