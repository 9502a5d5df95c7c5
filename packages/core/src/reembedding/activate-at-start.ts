import type { ReembedParams } from './reembed-faces.ts';
import type { ReembedStore } from './reembed-store.ts';
import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';

export interface ActivateAtStartDeps {
  readonly analyzer: Pick<ImageAnalyzer, 'status'>;
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate'>;
  readonly reembed: Pick<ReembedStore, 'environmentsBehind'>;
  readonly jobs: Pick<JobStore, 'create' | 'unfinished'>;
}

/**
 * Notes which models answer now, before anybody is answered. Where the face model is another one
 * than before, every environment with faces gets jobs that make what it lacks of the new one: first
 * one for enrolled faces, during which matching answers that it is unavailable, as it would take
 * everyone for a stranger; then one for the others. The jobs come before the note, so that a crash
 * in between loses none.
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
    await createReembedJobs(deps, model, signal);
    await deps.modelStore.activate(model.task, model.id);
  }
  return active;
}

/**
 * Gives every environment with faces that are behind a model its jobs, as far as they are not there.
 *
 * @throws StoreUnavailable
 */
export async function createReembedJobs(
  { reembed, jobs }: Pick<ActivateModelsDeps, 'reembed' | 'jobs'>,
  model: RegisteredModel,
  signal?: AbortSignal,
): Promise<void> {
  if (model.task !== 'face' || model.embeddingDim === null) return;
  const unfinished = await jobs.unfinished(['reembed']);
  const behind = await reembed.environmentsBehind(model.id, signal);
  // Jobs run in this order: no environment is to wait for another one's faces that nobody needs yet.
  for (const faces of ['enrolled', 'all'] as const) {
    const params: ReembedParams = { model_id: model.id, faces };
    for (const { environmentId, images, enrolledImages } of behind) {
      const total = faces === 'enrolled' ? enrolledImages : images - enrolledImages;
      const isThere = unfinished.some((job) => isSame(job, environmentId, params));
      if (total === 0 || isThere) continue;
      await jobs.create({ environmentId, type: 'reembed', params: { ...params }, total });
    }
  }
}

function isSame(job: Job, environmentId: number, { model_id, faces }: ReembedParams): boolean {
  const { params } = job;
  return (
    job.environmentId === environmentId && params.model_id === model_id && params.faces === faces
  );
}
