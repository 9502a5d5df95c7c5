import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { QueuedFace } from './queued-face.ts';
import { queueFilter, queueSort } from './queue-filter.ts';

export const ReviewQueue = pageOf(QueuedFace).meta({ id: 'ReviewQueue' });

export const listReviewQueueContract = defineContract({
  method: 'GET',
  path: '/api/review',
  right: 'read',
  tag: 'Review queue',
  summary: 'List the faces that wait for review, by default the most certain detections first',
  description:
    'By confidence, the cursor of the next page is `<confidence>_<detection_id>` of the last item.',
  request: {
    query: z.object({ ...queueFilter, sort: queueSort, ...page }),
  },
  responses: { 200: jsonResponse('The faces.', ReviewQueue) },
  problems: [],
});
