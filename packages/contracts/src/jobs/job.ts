import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

const count = z.int().min(0);

export const jobType = z.enum([
  'bulk_detect',
  'reprocess',
  'export',
  'import',
  'model_download',
  'reembed',
  'activate_model',
  'bulk_review',
  'bulk_detections',
  'bulk_images',
  'undo',
]);

export const jobStatus = z.enum(['pending', 'running', 'done', 'failed']);

export const Job = z
  .object({
    id: z.int(),
    type: jobType,
    status: jobStatus.describe(
      '`failed`: the job as a whole failed, or was cancelled. A failed image does not make the job fail.',
    ),
    total: count.describe('The size of the job in its unit, as far as known.'),
    unit: z
      .enum(['images', 'detections', 'records', 'bytes'])
      .describe(
        'The unit of `total`, `done` and `failed`: `bytes` for `model_download`, `detections` for `bulk_review` and `bulk_detections`, `records` for `undo`, else `images`.',
      ),
    done: count,
    failed: count.describe('How many failed; when the job has ended, done + failed = total.'),
    error: z
      .string()
      .nullable()
      .describe(
        'The reason why the job as a whole failed: `cancelled`, or a sentence; null if it did not fail.',
      ),
    results_url: z
      .string()
      .nullable()
      .describe('Path of the results, for seven days after the end; null if there are none.'),
    operation_id: z
      .int()
      .nullable()
      .describe(
        'Id of the operation that the job carries out, which can be undone after the end of the job; null if there is none.',
      ),
    created_at: timestamp,
    finished_at: timestamp.nullable().describe('Null while the job is unfinished.'),
  })
  .meta({ id: 'Job', description: 'Work that continues after its request.' });
