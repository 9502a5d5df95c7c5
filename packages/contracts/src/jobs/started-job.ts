import { z } from 'zod';
import { flag } from '../flag.ts';

/** The query parameter of endpoints whose work can run as a job. */
export const asynchronous = flag
  .optional()
  .describe('Whether the service starts a job and responds immediately. Default: false.');

const started = {
  job_id: z.int(),
  status: z
    .enum(['pending', 'running', 'done', 'failed'])
    .describe('`done` if there was nothing to do.'),
};

export const StartedJob = z.object(started).meta({ id: 'StartedJob' });

export const StartedBatch = z
  .object({
    ...started,
    total: z.int().min(0).describe('Number of images, detections or records of the job.'),
  })
  .meta({ id: 'StartedBatch' });
