import type { OperationBody } from '../client/operations.ts';

export type Job = OperationBody<'getJob'>;

/** How often a job is read while it is unfinished and visible, in ms. */
export const JOB_MS = 1_000;

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'done' || status === 'failed';
}
