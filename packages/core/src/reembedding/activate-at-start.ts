import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { NewReembed, ReembedParams } from '../jobs/job.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { JobsForBehind, ModelStore, RegisteredModel } from '../models/model-store.ts';

export interface ActivateAtStartDeps {
  readonly analyzer: Pick<ImageAnalyzer, 'status'>;
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate'>;
}

/**
 * Makes the models that answer now the active ones, before this process answers requests. Where the
 * face model is another one than before, every environment with faces gets jobs that make what it
 * lacks of the new one: first one for enrolled faces, during which matching answers that it is
 * unavailable, as it would recognize no one; then one for the others.
 *
 * @returns the active models
 * @throws StoreUnavailable
 */
export async function activateAtStart(
  deps: ActivateAtStartDeps,
  signal?: AbortSignal,
): Promise<readonly RegisteredModel[]> {
  const { models } = await deps.analyzer.status(signal);
  return activateModels(deps, models, signal);
}

export type ActivateModelsDeps = Omit<ActivateAtStartDeps, 'analyzer'>;

/**
 * As {@link activateAtStart}, for models that are known to answer.
 *
 * @throws StoreUnavailable
 */
export async function activateModels(
  deps: ActivateModelsDeps,
  answering: readonly ActiveModel[],
  signal?: AbortSignal,
): Promise<readonly RegisteredModel[]> {
  const before = await deps.modelStore.active(signal);
  const active: RegisteredModel[] = [];
  for (const one of answering) {
    const model = await deps.models.of(one);
    active.push(model);
    if (before.some(({ id, task }) => id === model.id && task === model.task)) continue;
    const embeds = model.task === 'face' && model.embeddingDim !== null;
    await deps.modelStore.activate(model.id, embeds ? jobsFor(model) : undefined);
  }
  return active;
}

/**
 * The jobs that give every environment what its faces lack of a model. Jobs run in this order: the
 * enrolled faces of all environments come before all other faces.
 */
function jobsFor({ id: modelId }: RegisteredModel): JobsForBehind {
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
