import type { SerializedError } from './serialized-error.ts';

/**
 * The messages from the pool to a worker. A worker has at most one job, and messages arrive in
 * order, so `cancel` always refers to the latest job. A `cancel` that arrives after the result is
 * ignored.
 */
export type PoolMessage<Job> =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'stop' };

/**
 * The messages from a worker to the pool: `ready` or `not_ready` once, followed by one `result` or
 * `failure` per job.
 */
export type WorkerMessage<Result, Ready> =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'not_ready'; readonly error: SerializedError }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failure'; readonly error: SerializedError };
