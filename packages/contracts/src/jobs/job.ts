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
]);

export const jobStatus = z.enum(['pending', 'running', 'done', 'failed']);

export const Job = z
  .object({
    id: z.int(),
    type: jobType,
    status: jobStatus.describe(
      '`failed`: the job as a whole failed, or was cancelled. A failed image does not make the job fail.',
    ),
    total: count.describe(
      'Number of images of the job, as far as known. For `model_download`, the number of bytes.',
    ),
    unit: z.enum(['images', 'bytes']).describe('The unit of `total`, `done` and `failed`.'),
    done: count,
    failed: count.describe(
      'Number of failed images; when the job has ended, done + failed = total.',
    ),
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
    created_at: timestamp,
    finished_at: timestamp.nullable().describe('Null while the job is unfinished.'),
  })
  .meta({ id: 'Job', description: 'Work that continues after its request.' });
