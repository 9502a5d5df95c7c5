import type { OperationBody } from '../../client/operations.ts';

export type Job = OperationBody<'getJob'>;

export const JOB_STATUSES = ['pending', 'running', 'done', 'failed'] as const;

export const JOB_TYPES = [
  'bulk_detect',
  'reprocess',
  'export',
  'import',
  'model_download',
  'reembed',
  'activate_model',
  'bulk_review',
  'bulk_detections',
  'bulk_images',
  'undo',
] as const satisfies readonly Job['type'][];

/** How often a job is read while it is unfinished and visible, in ms. */
export const JOB_MS = 1_000;

/** The types of which the service retries the failed items. */
const RETRIED: readonly Job['type'][] = ['bulk_detect', 'reprocess', 'export', 'import'];

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'done' || status === 'failed';
}

/** Whether the service may have items of the job to retry. */
export function canRetry(job: Pick<Job, 'status' | 'type' | 'failed'>): boolean {
  return hasEnded(job) && RETRIED.includes(job.type) && (job.failed > 0 || job.status === 'failed');
}
