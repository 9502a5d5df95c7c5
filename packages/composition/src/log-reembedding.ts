import type { ReembedParams } from '@sightline/core/jobs/job';
import type { JobWork } from '@sightline/core/jobs/run-next-job';
import type { Logger } from '@sightline/platform/logging/logger';

const BEGINS: Readonly<Record<ReembedParams['faces'], string>> = {
  enrolled:
    'the face model is another one than before: enrolled faces are being embedded anew, and until that is done nobody is matched',
  all: 'all other stored faces are being embedded anew',
};

/**
 * Tells in the log when stored faces are embedded anew, with how many images that is about. A job
 * that waits, or finds nothing to do, is not told of.
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
      logger.info({ ...about, images: done, failed }, 'stored faces are embedded anew');
    }
    return progress;
  };
}
