import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { groupThreshold, similarity } from './cluster.ts';

export const ClusterCount = z
  .object({ count: z.int().min(0), threshold: similarity })
  .meta({ id: 'ClusterCount' });

export const countClustersContract = defineContract({
  method: 'GET',
  path: '/api/clusters/count',
  right: 'read',
  tag: 'Groups of strangers',
  summary: 'Count the groups of faces that are probably of one person each',
  request: { query: z.object({ threshold: groupThreshold }) },
  responses: { 200: jsonResponse('The number of groups.', ClusterCount) },
  problems: [],
});
