import { z } from 'zod';
import { defineEvent } from './define-event.ts';

const count = z.int().min(0);

export const JobDone = defineEvent(
  'job.done',
  1,
  z.strictObject({
    job_id: z.int(),
    type: z.enum([
      'bulk_detect',
      'reprocess',
      'model_download',
      'import',
      'activate_model',
      'export',
      'reembed',
      'delete_environment',
      'bulk_review',
      'bulk_detections',
      'bulk_images',
      'undo',
    ]),
    status: z
      .enum(['done', 'failed'])
      .describe('`failed`: the job as a whole failed, or was cancelled.'),
    total: count,
    done: count,
    failed: count,
  }),
);
