import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { flag } from '../flag.ts';
import { page, pageOf } from '../pagination.ts';
import { HAS_SUGGESTION, QueuedFace } from './queued-face.ts';

export const ReviewQueue = pageOf(QueuedFace).meta({ id: 'ReviewQueue' });

export const listReviewQueueContract = defineContract({
  method: 'GET',
  path: '/api/review',
  right: 'read',
  tag: 'Review queue',
  summary: 'List the faces that wait for review, the most certain detections first',
  description: 'The cursor of the next page is `<confidence>_<detection_id>` of the last item.',
  request: {
    query: z.object({ has_suggestion: flag.optional().describe(HAS_SUGGESTION), ...page }),
  },
  responses: { 200: jsonResponse('The faces.', ReviewQueue) },
  problems: [],
});
