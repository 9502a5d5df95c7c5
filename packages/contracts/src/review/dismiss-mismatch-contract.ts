import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const DismissedMismatch = z
  .object({ detection_id: z.int(), mismatch_reviewed: z.boolean() })
  .meta({ id: 'DismissedMismatch' });

export const dismissMismatchContract = defineContract({
  method: 'POST',
  path: '/api/review/mismatches/{id}/dismiss',
  right: 'review',
  operation: 'dismiss',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Take a face out of the list of mismatches',
  description:
    'The face does not appear in the list again until its identity changes. The request is allowed for every face, even if the list does not contain the face.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The face.', DismissedMismatch) },
  problems: ['not_found', 'not_a_face'],
});
