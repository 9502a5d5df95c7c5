import type { ActivationStore } from '../models/activation-store.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import { holdsModel } from '../models/holds-model.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { stragglersOf } from '../reembedding/reembeds-for.ts';

export interface RollBackDeps {
  readonly modelStore: Pick<ModelStore, 'activate' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'recentSwitch'>;
}

/** The most worker threads that may die while they run a new model. One more causes the rollback. */
const MAX_DEATHS = 2;

/**
 * Makes the previous model active again if worker threads have died repeatedly in the minute after the switch.
 *
 * @returns the reason as a sentence; null if no model was rolled back
 * @throws StoreUnavailable
 */
export async function rollBack(
  { activations, modelStore }: RollBackDeps,
  statuses: readonly AnalyzerStatus[],
): Promise<string | null> {
  for (const slot of ['face', 'object'] as const) {
    const recent = await activations.recentSwitch(slot);
    if (recent === null) continue;
    const { active, previous } = await modelStore.roles();
    const model = active.find(({ id }) => id === recent.modelId);
    const before = previous.find(({ id }) => id === recent.previousId);
    if (model === undefined || before === undefined) continue;
    const deaths = deathsOf(statuses, model);
    if (deaths <= MAX_DEATHS) continue;
    // Without a process that has loaded the previous model, nothing is rolled back: a model that crashes sometimes is
    // better than none.
    if (!statuses.some((status) => holdsModel(status, before.revision))) continue;
    const reason = `${deaths} worker threads died with the model ${model.name} within a minute: ${before.name} is active again.`;
    const jobsFor = before.embeddingDim === null ? undefined : stragglersOf(before);
    await modelStore.activate(before.id, { jobsFor, rolledBack: reason });
    return reason;
  }
  return null;
}

/** The highest number of deaths that any host reports for the model. */
function deathsOf(statuses: readonly AnalyzerStatus[], { revision }: RegisteredModel): number {
  const deaths = statuses.map(
    ({ report }) => report.find((one) => one.revision === revision)?.deaths ?? 0,
  );
  return Math.max(0, ...deaths);
}
