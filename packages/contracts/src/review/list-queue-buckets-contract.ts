import { z } from 'zod';
import { bucketResponse, BUCKETS_DESCRIPTION } from '../buckets.ts';
import { defineContract } from '../define-contract.ts';
import { queueFilter, queueSort } from './queue-filter.ts';

export const listQueueBucketsContract = defineContract({
  method: 'GET',
  path: '/api/review/buckets',
  right: 'read',
  tag: 'Review queue',
  summary: 'Divide the faces that wait for review into buckets',
  description: BUCKETS_DESCRIPTION,
  request: { query: z.object({ ...queueFilter, sort: queueSort }) },
  responses: bucketResponse,
  problems: [],
});
