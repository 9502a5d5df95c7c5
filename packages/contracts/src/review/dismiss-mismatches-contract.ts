import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';
import { DismissedFaces } from './dismissed-faces.ts';

export const dismissMismatchesContract = defineContract({
  method: 'POST',
  path: '/api/review/mismatches/dismiss',
  right: 'review',
  operation: 'dismiss',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Take faces out of the list of mismatches',
  description: 'Objects and unknown ids are skipped.',
  request: { body: jsonBody(z.object({ detection_ids: idList })) },
  responses: { 200: jsonResponse('Number of faces among the ids.', DismissedFaces) },
  problems: JSON_PROBLEMS,
});
