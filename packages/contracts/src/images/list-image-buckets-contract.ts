import { z } from 'zod';
import { bucketResponse, BUCKETS_DESCRIPTION } from '../buckets.ts';
import { defineContract } from '../define-contract.ts';
import { imageFilter, imageSort } from './image-filter.ts';

export const listImageBucketsContract = defineContract({
  method: 'GET',
  path: '/api/images/buckets',
  right: 'read',
  tag: 'Images',
  summary: 'Divide the list of source images into buckets',
  description: BUCKETS_DESCRIPTION,
  request: { query: z.object({ ...imageFilter, sort: imageSort }) },
  responses: bucketResponse,
  problems: [],
});
