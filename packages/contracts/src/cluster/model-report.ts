import { z } from 'zod';

/** What an inference pod says of a model, at `/models` of its operations port. Members that a newer pod adds are passed over. */
export const ReportedModel = z.object({
  /** Of the pack. */
  name: z.string(),
  revision: z.string(),
  state: z.enum(['fetching', 'disk', 'warming', 'warm', 'failed']),
  /** Null unless it failed. The reason is one of a status, such as `LoadFailed`. */
  error: z.object({ reason: z.string(), message: z.string() }).nullable().default(null),
  /** Null: no request has named it. */
  lastAskedSecondsAgo: z.number().nullable().default(null),
});
export type ReportedModel = z.infer<typeof ReportedModel>;
