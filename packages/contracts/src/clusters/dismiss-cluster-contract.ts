import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { asynchronous, StartedBatch } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { clusterPath } from './get-cluster-contract.ts';
import { CLUSTER_DECISION, except } from './label-cluster-contract.ts';

export const DismissedCluster = z
  .object({ dismissed: z.int().min(0).describe('Number of dismissed faces.') })
  .meta({ id: 'DismissedCluster' });

export const dismissClusterContract = defineContract({
  method: 'POST',
  path: '/api/clusters/{cluster_id}/dismiss',
  right: 'review',
  operation: 'cluster_dismiss',
  idempotent: true,
  tag: 'Groups of strangers',
  summary: 'Dismiss all faces of a group',
  description:
    CLUSTER_DECISION +
    ' The faces leave the groups and the review queue. Faces that another caller decides about first are left out.',
  request: {
    path: clusterPath,
    query: z.object({ async: asynchronous }),
    body: jsonBody(z.object({ except })),
  },
  responses: {
    200: jsonResponse('The number of dismissed faces.', DismissedCluster),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [...JSON_PROBLEMS, 'not_found', 'cluster_changed', 'too_many_jobs'],
});
