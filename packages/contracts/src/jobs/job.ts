import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

const count = z.int().min(0);

export const Job = z
  .object({
    id: z.int(),
    type: z.enum([
      'bulk_detect',
      'reprocess',
      'export',
      'import',
      'model_download',
      'reembed',
      'activate_model',
    ]),
    status: z
      .enum(['pending', 'running', 'done', 'failed'])
      .describe(
        '`failed`: the job as a whole failed, or was cancelled. Images that fail do not make it fail.',
      ),
    total: count.describe(
      'How many images the job is about, as far as known; bytes for `model_download`.',
    ),
    done: count,
    failed: count.describe('What failed; when the job has ended, done + failed = total.'),
    error: z
      .string()
      .nullable()
      .describe('Why the job as a whole failed: `cancelled`, or a sentence. Null otherwise.'),
    results_url: z
      .string()
      .nullable()
      .describe('Path of the results, for seven days after the end; null if there are none.'),
    created_at: timestamp,
    finished_at: timestamp.nullable().describe('Null while the job is unfinished.'),
  })
  .meta({ id: 'Job', description: 'Work that outlives its request.' });
