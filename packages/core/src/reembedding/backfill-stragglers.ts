import type { ActivationStore } from '../models/activation-store.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { stragglersOf } from './reembeds-for.ts';

/**
 * Creates jobs for faces that lack embeddings of the active model because their requests began before the last switch
 * and ended after it.
 *
 * @throws StoreUnavailable
 */
export async function backfillStragglers(
  {
    activations,
    modelStore,
  }: {
    readonly modelStore: Pick<ModelStore, 'backfill'>;
    readonly activations: Pick<ActivationStore, 'behindSinceSwitch'>;
  },
  active: readonly RegisteredModel[],
): Promise<void> {
  for (const model of active) {
    if (model.embeddingDim === null) continue;
    for (const environmentId of await activations.behindSinceSwitch(model.id)) {
      await modelStore.backfill({ environmentId, modelId: model.id }, stragglersOf(model));
    }
  }
}
