import type { NewReembed, ReembedParams } from '../jobs/job.ts';
import type { JobsForBehind, RegisteredModel } from '../models/model-store.ts';

/**
 * The jobs that give environments what their faces lack of a model. Jobs run in this order: the
 * enrolled faces of all environments come before all other faces.
 */
export function reembedsFor({ id: modelId }: RegisteredModel): JobsForBehind {
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
      ...behind.map((each) => job(each.environmentId, 'enrolled', each.enrolledImages)),
      ...behind.map((each) => job(each.environmentId, 'all', each.images - each.enrolledImages)),
    ].filter(({ total }) => total > 0);
}

/**
 * The jobs for faces that were enrolled with the model before: they do not make matching unavailable, as
 * those that are missed are few.
 */
export function stragglersOf({ id: modelId }: Pick<RegisteredModel, 'id'>): JobsForBehind {
  return (behind) =>
    behind.map(({ environmentId, images }) => ({
      environmentId,
      params: { modelId, faces: 'all' },
      total: images,
    }));
}
