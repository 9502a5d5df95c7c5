import type { ReembedParams } from '@sightline/core/jobs/job';
import type { JobWork } from '@sightline/core/jobs/run-next-job';
import type { Logger } from '@sightline/platform/logging/logger';

const BEGINS: Readonly<Record<ReembedParams['faces'], string>> = {
  enrolled:
    'the face model has changed: recomputing the embeddings of enrolled faces; matching is refused until this is done',
  all: 'recomputing the embeddings of all other stored faces',
};

/**
 * Logs the begin and the end of a job that recomputes embeddings, with the number of images. A job
 * that waits, or has nothing to do, is not logged.
 */
export function logReembedding(work: JobWork, logger: Logger): JobWork {
  return async (job, report, signal) => {
    const { faces } = job.params;
    const about = { environment_id: job.environmentId, faces };
    let hasBegun = false;
    const progress = await work(
      job,
      (now) => {
        if (!hasBegun) logger.warn({ ...about, images: now.total }, BEGINS[faces]);
        hasBegun = true;
        report(now);
      },
      signal,
    );
    const { done, failed } = progress;
    if (done + failed > job.done) {
      logger.info(
        { ...about, images: done, failed },
        'the embeddings of stored faces are recomputed',
      );
    }
    return progress;
  };
}
