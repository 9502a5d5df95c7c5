import type { ActivateOptions, ModelStore, RegisteredModel } from '../models/model-store.ts';
import { reembedsFor } from '../reembedding/reembeds-for.ts';

/**
 * Makes a model active. If the model computes embeddings, jobs embed the stored faces after the switch.
 *
 * @throws StoreUnavailable; InferenceUnavailable if the model has to be pending and is not
 */
export async function switchAtOnce(
  modelStore: Pick<ModelStore, 'activate'>,
  model: RegisteredModel,
  options: Pick<ActivateOptions, 'whilePending'> = {},
): Promise<void> {
  const jobsFor = model.embeddingDim === null ? undefined : reembedsFor(model);
  await modelStore.activate(model.id, { ...options, jobsFor });
}
