import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { StartedBatch } from '../jobs/started-job.ts';
import { purgeQuery } from '../operations/purge.ts';
import { confirmCount, selection, SelectionCount } from '../operations/selection.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { storableText } from '../text.ts';
import { timeFilter } from '../timestamp.ts';
import { DetectionType, reviewStatus } from './detection.ts';

const where = z
  .strictObject({
    identity_id: z.int().optional(),
    image_id: z.int().optional(),
    type: DetectionType.optional(),
    class_name: storableText(1000).optional().describe('Objects of this class.'),
    review_status: reviewStatus.optional(),
    detected_since: timeFilter.optional().describe('Stored at this time or later.'),
    detected_until: timeFilter.optional().describe('Stored before this time.'),
  })
  .describe('The detections. A detection must match all given members.');

export const bulkDetectionsContract = defineContract({
  method: 'POST',
  path: '/api/detections/bulk',
  right: 'full',
  operation: 'bulk_detections',
  idempotent: true,
  tag: 'Detections',
  summary: 'Move, delete or dismiss all detections of a filter',
  description:
    'A job carries out the action as one operation, which can be undone after its end. A detection is left out if it does not match any more when its turn comes. `move` assigns detections to the identity `identity_id`, as relabeling does, `dismiss` takes faces out of the review queue, and `delete` deletes detections with their crops and references.',
  request: {
    query: purgeQuery,
    body: jsonBody(
      z
        .object({
          action: z.enum(['move', 'delete', 'dismiss']),
          where,
          ...selection,
          confirm_count: confirmCount,
          identity_id: z
            .int()
            .optional()
            .describe('The identity that gets the detections; required for `move`.'),
        })
        .meta({
          if: { properties: { action: { const: 'move' } } },
          then: { required: ['identity_id'], properties: { identity_id: { type: 'integer' } } },
        }),
    ),
  },
  responses: {
    200: jsonResponse('The number of detections, for `dry_run`.', SelectionCount),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [...JSON_PROBLEMS, 'not_found', 'type_mismatch', 'count_changed', 'too_many_jobs'],
});
