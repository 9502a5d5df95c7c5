import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { page } from '../pagination.ts';
import { Cluster, clusterAsOf, groupThreshold, MAX_ITEMS, similarity } from './cluster.ts';

export const Clusters = z
  .object({
    clusters: z.array(Cluster),
    total_unclustered: z.int().min(0).describe('Number of faces without an identity in no group.'),
    threshold: similarity,
    as_of: clusterAsOf,
    next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
    has_more: z.boolean(),
  })
  .meta({ id: 'Clusters' });

export const listClustersContract = defineContract({
  method: 'GET',
  path: '/api/clusters',
  right: 'read',
  tag: 'Groups of strangers',
  summary: 'List groups of faces that are probably of one person each, the largest first',
  description:
    'The groups have faces without an identity that were not dismissed. They are kept ready in the background: new faces ' +
    'are normally in them after a few seconds, and faces that were named, dismissed or deleted are left out at once. Two ' +
    'groups are joined while their faces are on average similar enough to the other group. Pages of one list come from ' +
    'the same state of the groups, which is kept for an hour.',
  request: {
    query: z.object({
      threshold: groupThreshold,
      items: integer(z.int().min(1).max(MAX_ITEMS))
        .default(MAX_ITEMS)
        .describe(`Maximum number of faces of each group, 1 to ${MAX_ITEMS}.`),
      ...page,
    }),
  },
  responses: { 200: jsonResponse('The groups.', Clusters) },
  problems: [],
});
