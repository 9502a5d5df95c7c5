import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { queueFilter } from './queue-filter.ts';

export const ReviewQueueCount = z
  .object({ count: z.int().min(0) })
  .meta({ id: 'ReviewQueueCount' });

export const countReviewQueueContract = defineContract({
  method: 'GET',
  path: '/api/review/count',
  right: 'read',
  tag: 'Review queue',
  summary: 'Count the faces that wait for review',
  request: { query: z.object(queueFilter) },
  responses: { 200: jsonResponse('The number of faces.', ReviewQueueCount) },
  problems: [],
});
