import type { JobProgress } from '@sightline/core/jobs/job';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { withExclusiveLease } from '@sightline/core/leases/with-exclusive-lease';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { activateModel, type ActivateModelDeps } from '@sightline/core/activation/activate-model';
import type { Logger } from '@sightline/platform/logging/logger';

export interface ActivateModelJobDeps extends ActivateModelDeps {
  readonly leases: LeaseStore;
  readonly logger: Logger;
}

const LEASE = { name: 'activation', seconds: 20 };

/**
 * Makes a model the active one in all processes. A process that takes the item over continues with the missing steps.
 */
export function activateModelJob(deps: ActivateModelJobDeps): JobWork<'activate_model'> {
  return async ({ job }, { signal, report, end }) => {
    const { leases, logger } = deps;
    const activate = () => activateModel(deps, job.params, { signal, report });
    const progress: JobProgress = deps.source.isExclusive
      ? await withExclusiveLease({ ...LEASE, leases }, signal, activate)
      : await activate();
    logger.info({ model_id: job.params.modelId, images: progress.done }, 'a model was activated');
    await end({ progress });
  };
}
