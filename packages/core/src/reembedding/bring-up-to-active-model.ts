import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore } from '../models/model-store.ts';
import type { Scope } from '../store/scope.ts';
import { reembedsFor } from './reembeds-for.ts';

/**
 * Creates the jobs that give an environment what its faces lack of the active face model, after faces
 * with vectors of other models were stored. Until enrolled faces have it, matching answers that it is
 * unavailable.
 *
 * @throws StoreUnavailable
 */
export async function bringUpToActiveModel(
  models: Pick<ModelStore, 'active' | 'bringUp'>,
  { environmentId }: Scope,
  signal?: AbortSignal,
): Promise<void> {
  const model = await activeFaceModel(models, signal);
  if (model?.embeddingDim == null) return;
  await models.bringUp({ environmentId, modelId: model.id }, reembedsFor(model));
}
