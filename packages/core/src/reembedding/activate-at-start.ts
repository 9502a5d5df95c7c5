import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { reembedsFor } from './reembeds-for.ts';

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
    await deps.modelStore.activate(model.id, embeds ? reembedsFor(model) : undefined);
  }
  return active;
}
