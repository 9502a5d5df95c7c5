import { z } from 'zod';
import { ModelTask } from './desired-models.ts';

/**
 * The state of a model in a process. The process reports it at `/models` of its operations port and in `/v1/status`.
 * Readers ignore unknown members, because a newer process may add some.
 */
export const ReportedModel = z.object({
  name: z.string(),
  task: ModelTask,
  revision: z.string(),
  state: z.enum(['fetching', 'disk', 'warming', 'warm', 'failed']),
  /** Null unless the model failed. The reason is also a reason of a status condition, such as `LoadFailed`. */
  error: z.object({ reason: z.string(), message: z.string() }).nullable().default(null),
  /** The number of worker threads that died while they ran the model, counted since the model was last warm. */
  deaths: z.int().min(0).default(0),
  /** Seconds since the last request that named the model; null if no request has. */
  lastRequestedSecondsAgo: z.number().nullable().default(null),
});
export type ReportedModel = z.infer<typeof ReportedModel>;

/** The resources that an inference process uses. It reports them at `/models` of its operations port. */
export const ReportedRuntime = z.object({
  /** The number of inference threads. */
  threads: z.int().min(1),
  /** The memory of the process in bytes, measured when its models were warm. */
  memoryBytes: z.int().min(1),
});
export type ReportedRuntime = z.infer<typeof ReportedRuntime>;

/** The keys that a process accepts from callers. The process reports them at `/models` of its operations port. */
export const ReportedKeys = z.object({
  accepted: z.int().min(1),
  /** Seconds since a caller sent the previous key, or since the process accepts it; null while only one key is accepted. */
  previousUsedSecondsAgo: z.number().min(0).nullable().default(null),
});
export type ReportedKeys = z.infer<typeof ReportedKeys>;
