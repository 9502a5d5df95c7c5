import { z } from 'zod';
import { bucketResponse, BUCKETS_DESCRIPTION } from '../buckets.ts';
import { defineContract } from '../define-contract.ts';
import { summaryFilter, summarySort } from './list-identity-summaries-contract.ts';

export const listIdentityBucketsContract = defineContract({
  method: 'GET',
  path: '/api/identities/summary/buckets',
  right: 'read',
  tag: 'Identities',
  summary: 'Divide the list of identities into buckets',
  description: BUCKETS_DESCRIPTION,
  request: { query: z.object({ ...summaryFilter, sort: summarySort }) },
  responses: bucketResponse,
  problems: [],
});
