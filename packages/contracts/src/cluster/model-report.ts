import { z } from 'zod';
import { ModelTask } from './desired-models.ts';

/**
 * A model in a process, as the process reports it at `/models` of its operations port and in `/v1/status`. Members that a
 * newer process adds are ignored.
 */
export const ReportedModel = z.object({
  /** The name of its pack. */
  name: z.string(),
  task: ModelTask,
  revision: z.string(),
  state: z.enum(['fetching', 'disk', 'warming', 'warm', 'failed']),
  /** Null unless it failed. The reason is one of a status, such as `LoadFailed`. */
  error: z.object({ reason: z.string(), message: z.string() }).nullable().default(null),
  /** Worker threads that died with it since it was warm. */
  deaths: z.int().min(0).default(0),
  /** Seconds since a request named it; null: no request has. */
  lastRequestedSecondsAgo: z.number().nullable().default(null),
});
export type ReportedModel = z.infer<typeof ReportedModel>;
