import { hasEnded, type Job } from '../../jobs/job.ts';

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

/** The types of which the service retries the failed items. */
const RETRIED: readonly Job['type'][] = ['bulk_detect', 'reprocess', 'export', 'import'];

/** Whether the service may have items of the job to retry. */
export function canRetry(job: Pick<Job, 'status' | 'type' | 'failed'>): boolean {
  return hasEnded(job) && RETRIED.includes(job.type) && (job.failed > 0 || job.status === 'failed');
}
