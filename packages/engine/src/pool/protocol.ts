import type { SerializedError } from './serialized-error.ts';

/**
 * Messages from the pool to a worker. A worker has at most one job, and messages arrive in order,
 * so `cancel` always refers to the latest job; a `cancel` that arrives after the result is ignored.
 */
export type PoolMessage<Job> =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'stop' };

/**
 * Messages from a worker to the pool: `ready` or `not_ready` once, then one `result` or `failure`
 * per job.
 */
export type WorkerMessage<Result, Ready> =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'not_ready'; readonly error: SerializedError }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failure'; readonly error: SerializedError };
