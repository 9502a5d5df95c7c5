import type { SerializedError } from './serialized-error.ts';

/**
 * The messages from the pool to a worker. A worker has at most one job, and messages arrive in
 * order, so `cancel` always refers to the latest job. A `cancel` that arrives after the result is
 * ignored. `help` is sent to a worker without a job only. A worker that gets a job while it helps
 * stops helping before it begins the job.
 */
export type PoolMessage<Job> =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'help'; readonly work: unknown }
  | { readonly kind: 'stop' };

/**
 * The messages from a worker to the pool: `ready` or `not_ready` once, followed by one `result` or
 * `failure` per job. A worker sends `share` while it has a job, and one `helped` per `help`.
 */
export type WorkerMessage<Result, Ready> =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'not_ready'; readonly error: SerializedError }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failure'; readonly error: SerializedError }
  | ({ readonly kind: 'share' } & Share)
  | { readonly kind: 'helped' };

/** Work of a job in which idle workers can take part. */
export interface Share {
  readonly work: unknown;
  /** The largest useful number of other workers. */
  readonly helpers: number;
}
