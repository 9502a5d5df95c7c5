import type { NewReembed, ReembedParams } from '../jobs/job.ts';
import type { JobsForBehind, RegisteredModel } from '../models/model-store.ts';

type WithId = Pick<RegisteredModel, 'id'>;

/**
 * Jobs that embed faces with a new model. The jobs for enrolled faces of all environments run first, because matching is
 * unavailable in an environment until its job for enrolled faces has ended.
 */
export function reembedsFor(model: WithId): JobsForBehind {
  return jobsFor(model, 'enrolled');
}

/**
 * Jobs for a model with which nearly all enrolled faces are already embedded, except those that were enrolled during the
 * switch. Matching stays available while these jobs run, because only few faces are missing.
 */
export function stragglersOf(model: WithId): JobsForBehind {
  return jobsFor(model, 'stragglers');
}

function jobsFor(
  { id: modelId }: WithId,
  first: Exclude<ReembedParams['faces'], 'all'>,
): JobsForBehind {
  const job = (
    environmentId: number,
    faces: ReembedParams['faces'],
    total: number,
  ): NewReembed => ({
    environmentId,
    params: { modelId, faces },
    total,
  });
  return (behind) =>
    [
      ...behind.map((each) => job(each.environmentId, first, each.enrolledImages)),
      ...behind.map((each) => job(each.environmentId, 'all', each.images - each.enrolledImages)),
    ].filter(({ total }) => total > 0);
}
