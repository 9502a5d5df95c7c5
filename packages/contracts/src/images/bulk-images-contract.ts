import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { StartedBatch } from '../jobs/started-job.ts';
import { purgeQuery } from '../operations/purge.ts';
import { confirmCount, selection, SelectionCount } from '../operations/selection.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { runsFields } from '../recognition/runs-fields.ts';
import { imageFilter } from './image-filter.ts';

export const bulkImagesContract = defineContract({
  method: 'POST',
  path: '/api/images/bulk',
  right: 'full',
  operation: 'bulk_images',
  idempotent: true,
  tag: 'Images',
  summary: 'Reprocess or delete all images of a filter',
  description:
    'A job with one item per image carries out the action as one operation, which can be undone after its end. `where` has the filters of `GET /api/images`. `reprocess` runs the active models, and accepts `type` and `replace` as `POST /api/images/reprocess` does. `delete` deletes images with everything that was detected in them.',
  request: {
    query: purgeQuery,
    body: jsonBody(
      z.object({
        action: z.enum(['reprocess', 'delete']),
        where: z
          .strictObject(imageFilter)
          .describe('The images. An image must match all given members.'),
        ...selection,
        confirm_count: confirmCount,
        ...runsFields,
      }),
    ),
  },
  responses: {
    200: jsonResponse('The number of images, for `dry_run`.', SelectionCount),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [...JSON_PROBLEMS, 'count_changed', 'too_many_jobs'],
});
