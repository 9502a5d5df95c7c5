import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';
import { DismissedFaces } from '../review/dismissed-faces.ts';

export const dismissDetectionsContract = defineContract({
  method: 'POST',
  path: '/api/detections/dismiss',
  right: 'review',
  operation: 'dismiss',
  idempotent: true,
  tag: 'Detections',
  summary: 'Take faces out of the review queue',
  description:
    'Dismissed faces keep their status and identity, get no suggestions, and do not appear in clusters. A later decision about a face, except its rejection, ends the dismissal. Objects and unknown ids are skipped.',
  request: { body: jsonBody(z.object({ detection_ids: idList })) },
  responses: { 200: jsonResponse('Number of faces among the ids.', DismissedFaces) },
  problems: JSON_PROBLEMS,
});
