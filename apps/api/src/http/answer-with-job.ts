import type { Job } from '@sightline/core/jobs/job';

/** The answer to a request that has created a job. */
export function answerWithJob({ id, status }: Pick<Job, 'id' | 'status'>) {
  return { status: 202, body: { job_id: id, status } } as const;
}

/** The answer to a request that has created a job for several images. */
export function answerWithBatch({ id, status, total }: Job) {
  return { status: 202, body: { job_id: id, status, total } } as const;
}
