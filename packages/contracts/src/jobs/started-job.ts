import { z } from 'zod';
import { flag } from '../flag.ts';

/** The query parameter of requests that may run as a job. */
export const asynchronous = flag
  .optional()
  .describe('Answers at once with a job that does the work. Default: false.');

const started = {
  job_id: z.int(),
  status: z
    .enum(['pending', 'running', 'done', 'failed'])
    .describe('`done` if there was nothing to do.'),
};

/** A job that a request has made. */
export const StartedJob = z.object(started).meta({ id: 'StartedJob' });

/** A job that a request about several images has made. */
export const StartedBatch = z
  .object({ ...started, total: z.int().min(0).describe('How many images the job has.') })
  .meta({ id: 'StartedBatch' });
