import { bucketResponse } from '../buckets.ts';
import { defineContract } from '../define-contract.ts';

export const listUnknownBucketsContract = defineContract({
  method: 'GET',
  path: '/api/detections/unknown/buckets',
  right: 'read',
  tag: 'Detections',
  summary: 'Divide the faces without an identity into buckets',
  description: 'An answer may be up to 10 seconds old.',
  request: {},
  responses: bucketResponse,
  problems: [],
});
