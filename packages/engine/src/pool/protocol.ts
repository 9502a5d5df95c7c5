import type { ThrownData } from './thrown-data.ts';

/**
 * What the pool tells a worker. A worker has at most one job, and messages arrive in order, so a
 * `cancel` always means the job before it; one that arrives after the answer means nothing.
 */
export type PoolMessage<Job> =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'stop' };

/**
 * What a worker tells the pool: `ready` or `not_ready` once, then for every job one `result` or
 * `failure`.
 */
export type WorkerMessage<Result, Ready> =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'not_ready'; readonly error: ThrownData }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failure'; readonly error: ThrownData };
