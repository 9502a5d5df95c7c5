import type { Job as JobAnswer } from '@sightline/contracts/jobs/job';
import { COUNTED_BY_WORK, type Job, type JobType } from '@sightline/core/jobs/job';
import type { z } from 'zod';

/** The units of the counters of jobs that do not count images. */
const UNITS: Partial<Record<JobType, z.input<typeof JobAnswer>['unit']>> = {
  model_download: 'bytes',
  bulk_review: 'detections',
  bulk_detections: 'detections',
  undo: 'records',
};

export function presentJob(job: Job): z.input<typeof JobAnswer> {
  const { id, type, status, total, done, failed, error } = job;
  return {
    id,
    type,
    status,
    total,
    unit: UNITS[type] ?? 'images',
    done,
    failed,
    error,
    results_url: hasResults(job) ? `/api/jobs/${id}/results` : null,
    operation_id: job.operationId,
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

/** Whether a client can read results. A job with a single item has results only if it succeeded. */
function hasResults({ type, status, hasResults: areKept, resultsKey }: Job): boolean {
  if (!areKept) return false;
  if (type === 'export') return resultsKey !== null;
  return !COUNTED_BY_WORK.has(type) || status === 'done';
}
