import { z } from 'zod';
import { flag } from '../flag.ts';
import { integer, numeric } from '../numeric.ts';

/** The query parameters that select faces of the review queue. A face must match all given parameters. */
export const queueFilter = {
  has_suggestion: flag
    .optional()
    .describe('Only faces with at least one suggested match. Default: false.'),
  identity_id: integer()
    .optional()
    .describe('Only faces whose best suggested match is this identity.'),
  min_similarity: numeric(z.number().min(-1).max(1))
    .optional()
    .describe('Only faces whose best suggested match has at least this similarity, -1 to 1.'),
};

/** The order of the queue, descending. Faces with equal values are ordered by id, the highest first. */
export const queueSort = z
  .enum(['confidence', 'similarity', 'newest'])
  .default('confidence')
  .describe(
    'Order of the faces: by `confidence`; by the `similarity` of the best suggested match, followed by the faces without one; or `newest` first.',
  );
