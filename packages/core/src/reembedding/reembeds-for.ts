import type { NewReembed, ReembedParams } from '../jobs/job.ts';
import type { JobsForBehind, RegisteredModel } from '../models/model-store.ts';

type WithId = Pick<RegisteredModel, 'id'>;

/**
 * The jobs that give environments what their faces lack of a model. Jobs run in this order: the
 * enrolled faces of all environments come before all other faces. Until these are done, matching in their
 * environment is unavailable.
 */
export function reembedsFor(model: WithId): JobsForBehind {
  return jobsFor(model, 'enrolled');
}

/**
 * The same for a model whose vectors the enrolled faces have, but for some that were enrolled while it
 * became active: matching goes on meanwhile, as those that are missed are few.
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
