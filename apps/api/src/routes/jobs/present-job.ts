import type { Job as JobAnswer } from '@sightline/contracts/jobs/job';
import type { Job } from '@sightline/core/jobs/job';
import type { z } from 'zod';

export function presentJob(job: Job): z.input<typeof JobAnswer> {
  const { id, type, status, total, done, failed, error } = job;
  return {
    id,
    type,
    status,
    total,
    unit: type === 'model_download' ? 'bytes' : 'images',
    done,
    failed,
    error,
    results_url: hasResults(job) ? `/api/jobs/${id}/results` : null,
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

/** Whether a client can read results. Exports and imports have results only if they succeeded. */
function hasResults({ type, status, hasResults: areKept, resultsKey }: Job): boolean {
  if (!areKept) return false;
  if (type === 'export') return resultsKey !== null;
  return type !== 'import' || status === 'done';
}
