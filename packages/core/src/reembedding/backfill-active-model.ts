import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore } from '../models/model-store.ts';
import type { Scope } from '../store/scope.ts';
import { reembedsFor } from './reembeds-for.ts';

/**
 * Creates jobs that embed an environment's faces with the active face model, after faces with embeddings of other
 * models were stored. Matching is unavailable in the environment until its enrolled faces are embedded.
 *
 * @throws StoreUnavailable
 */
export async function backfillActiveModel(
  models: Pick<ModelStore, 'active' | 'backfill'>,
  { environmentId }: Scope,
  signal?: AbortSignal,
): Promise<void> {
  const model = await activeFaceModel(models, signal);
  if (model?.embeddingDim == null) return;
  await models.backfill({ environmentId, modelId: model.id }, reembedsFor(model));
}
