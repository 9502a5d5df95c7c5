import { z } from 'zod';

/** An inference pod's report on a model, at `/models` of its operations port. Readers ignore members that a newer pod adds. */
export const ReportedModel = z.object({
  /** The name of the pack. */
  name: z.string(),
  revision: z.string(),
  state: z.enum(['fetching', 'disk', 'warming', 'warm', 'failed']),
  /** Null unless the model failed. The reason is one that a status has, such as `LoadFailed`. */
  error: z.object({ reason: z.string(), message: z.string() }).nullable().default(null),
  /** Null if no request has named the model. */
  lastAskedSecondsAgo: z.number().nullable().default(null),
});
export type ReportedModel = z.infer<typeof ReportedModel>;
