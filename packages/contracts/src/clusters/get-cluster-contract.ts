import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page } from '../pagination.ts';
import { Cluster, clusterAsOf } from './cluster.ts';

/** Base64url. Its length tells an id from the names of other paths. */
const CLUSTER_ID = /^[\w-]{8,1000}$/;

export const clusterPath = z.object({ cluster_id: z.string().regex(CLUSTER_ID) });

export const ClusterPage = Cluster.extend({
  as_of: clusterAsOf,
  next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
  has_more: z.boolean(),
}).meta({ id: 'ClusterPage', description: 'A page of the faces of a group.' });

export const getClusterContract = defineContract({
  method: 'GET',
  path: '/api/clusters/{cluster_id}',
  right: 'read',
  tag: 'Groups of strangers',
  summary: 'List the faces of a group',
  description:
    'The answer has the group as it is now. If its faces have changed, `cluster_id` is another one: the group is the one ' +
    'that the face with the lowest id belongs to.',
  request: {
    path: clusterPath,
    query: z.object(page),
  },
  responses: { 200: jsonResponse('A page of the faces.', ClusterPage) },
  problems: ['not_found'],
});
