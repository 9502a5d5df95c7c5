import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer, numeric } from '../numeric.ts';
import { page, pageOf } from '../pagination.ts';
import { timestamp } from '../timestamp.ts';
import { CurrentIdentity, reviewedFace } from './queued-face.ts';

const similarity = z.number().min(-1).max(1);

export const Mismatch = z
  .object({
    ...reviewedFace,
    current_identity: CurrentIdentity,
    similarity: similarity.describe("Similarity to the mean of its identity's other references."),
  })
  .meta({
    id: 'Mismatch',
    description: 'A confirmed face that is dissimilar to the other faces of its identity.',
  });

export const Mismatches = pageOf(Mismatch)
  .extend({
    count: z
      .int()
      .min(0)
      .describe('Number of all matching faces below the threshold, on all pages.'),
    threshold: similarity,
    as_of: timestamp
      .nullable()
      .describe(
        'The mismatches have all changes up to this time, which never goes back and stays the same while nothing changes; null if the active face model has no data yet. ISO 8601 in UTC with milliseconds.',
      ),
  })
  .meta({ id: 'Mismatches' });

export const listMismatchesContract = defineContract({
  method: 'GET',
  path: '/api/review/mismatches',
  right: 'read',
  tag: 'Review queue',
  summary: 'List confirmed faces that are dissimilar to their identity, the least similar first',
  description:
    "A face is compared with the mean of its identity's other references of the active model. Faces " +
    'whose mismatch was dismissed are not listed. Faces whose identity has no other reference are not listed either.',
  request: {
    query: z.object({
      identity_id: integer().optional().describe('Only faces of this identity.'),
      threshold: numeric(similarity)
        .optional()
        .describe(
          'Lists faces below this similarity, -1 to 1. Default: the setting face.match_threshold.',
        ),
      ...page,
    }),
  },
  responses: { 200: jsonResponse('The faces.', Mismatches) },
  problems: [],
});
