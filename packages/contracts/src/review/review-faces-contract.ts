import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { flag } from '../flag.ts';
import { ItemError } from '../item-error.ts';
import { StartedBatch } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';
import { timeFilter } from '../timestamp.ts';

export const ReviewedFaces = z
  .object({
    processed: z.int().min(0),
    failed: z.int().min(0),
    errors: z
      .array(z.object({ detection_id: z.int(), error: ItemError }))
      .describe('The faces that failed, in the order of the request.'),
  })
  .meta({ id: 'ReviewedFaces' });

export const FaceCount = z
  .object({ count: z.int().min(0).describe('Number of faces that the filter selects now.') })
  .meta({ id: 'FaceCount' });

const similarity = z.number().min(-1).max(1);

/** The faces of the review queue that a decision is for. */
export const FaceFilter = z
  .strictObject({
    suggested_identity_id: z
      .int()
      .optional()
      .describe('Only faces whose best suggested match is this identity.'),
    min_similarity: similarity
      .optional()
      .describe('Only faces whose best suggested match has at least this similarity, -1 to 1.'),
    max_similarity: similarity
      .optional()
      .describe('Only faces whose best suggested match has at most this similarity, -1 to 1.'),
    detected_since: timeFilter.optional().describe('Only faces detected at or after this time.'),
    detected_until: timeFilter.optional().describe('Only faces detected before this time.'),
  })
  .refine((filter) => Object.keys(filter).length > 0, {
    error: 'Expected at least one condition',
  })
  .meta({
    description: 'Faces that wait for review. A face must match all given members, at least one.',
  });

export const reviewFacesContract = defineContract({
  method: 'POST',
  path: '/api/review/bulk',
  right: 'review',
  operation: 'bulk_review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Review many faces with one action',
  description:
    'Faces are processed one by one in the order of the request; a failed face does not affect the others. If the request fails in the middle, the decisions about the faces processed so far stay; repeat the request for the remaining faces. ' +
    'With `where` the request is for the faces of the review queue that a filter selects. Faces that began to wait after `as_of` are left out, and so are faces that another caller decides about first, or whose best suggested match changes: `processed` does not count them. With `dry_run` nothing is decided, and the answer is the number of faces. With more than 1,000 faces a request needs `async`: a job decides about them as one operation. Otherwise the answer is 400 and names their number. A key of the type `review` decides about ids, and not by a filter.',
  request: {
    query: z.object({
      async: flag
        .optional()
        .describe(
          'With `where`: whether a job decides, and the answer comes at once. Default: false.',
        ),
    }),
    body: jsonBody(
      z
        .object({
          detection_ids: idList.optional(),
          where: FaceFilter.optional(),
          action: z.enum(['confirm', 'reject', 'unassign', 'restore', 'reassign']),
          identity_id: z
            .int()
            .optional()
            .describe(
              'Required for the actions confirm and reassign, unless `where` has `suggested_identity_id`, which is the default then. Other actions ignore it.',
            ),
          as_of: timeFilter
            .optional()
            .describe(
              'Required with `where`: `as_of` of the answer that was looked at. Faces that began to wait later are left out.',
            ),
          except: idList
            .optional()
            .describe('With `where`: faces that are left out. At most 1,000 ids.'),
          dry_run: z
            .boolean()
            .optional()
            .describe('With `where`: whether the faces are only counted. Default: false.'),
        })
        .meta({
          if: {
            required: ['detection_ids'],
            properties: { detection_ids: {}, action: { enum: ['confirm', 'reassign'] } },
          },
          then: { required: ['identity_id'], properties: { identity_id: { type: 'integer' } } },
        }),
      [['detection_ids', 'where']],
    ),
  },
  responses: {
    200: jsonResponse(
      'The number of processed faces, or with `dry_run` that of the selected ones.',
      z.union([ReviewedFaces, FaceCount]),
    ),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [
    ...JSON_PROBLEMS,
    'not_found',
    'type_mismatch',
    'too_many_jobs',
    'inference_unavailable',
  ],
});
