import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { timestamp } from '../timestamp.ts';
import { QueuedFace } from './queued-face.ts';
import { queueFilter } from './queue-filter.ts';

/** The most sample faces of a group. */
export const MAX_SAMPLES = 6;

const similarity = z.number().min(-1).max(1);

export const SuggestionGroup = z
  .object({
    identity_id: z.int(),
    label: z.string(),
    thumbnail_url: z
      .string()
      .nullable()
      .describe('The crop of the cover, else of the newest confirmed detection.'),
    count: z.int().min(1).describe('Number of faces whose best suggested match is the identity.'),
    best: similarity.describe('The highest similarity of these faces.'),
    worst: similarity.describe('The lowest similarity of these faces.'),
    samples: z
      .array(QueuedFace)
      .max(MAX_SAMPLES)
      .describe('The first of these faces, the most similar ones first.'),
  })
  .meta({
    id: 'SuggestionGroup',
    description: 'The faces that wait for review and have the same best suggested match.',
  });

export const SuggestionGroups = pageOf(SuggestionGroup)
  .extend({
    as_of: timestamp.describe(
      'The time of the answer. A decision about all faces of a group (`POST /api/review/bulk`) names it, so that it is for no face that came later. ISO 8601 in UTC with milliseconds.',
    ),
  })
  .meta({ id: 'SuggestionGroups' });

export const listSuggestionGroupsContract = defineContract({
  method: 'GET',
  path: '/api/review/groups',
  right: 'read',
  tag: 'Review queue',
  summary:
    'List the faces that wait for review by their best suggested match, the largest groups first',
  description:
    'Each face that has a suggested match is in one group, that of `identity_id` of the list. Groups of equal size are ordered by id, the highest first.',
  request: { query: z.object({ min_similarity: queueFilter.min_similarity, ...page }) },
  responses: { 200: jsonResponse('The groups.', SuggestionGroups) },
  problems: [],
});
