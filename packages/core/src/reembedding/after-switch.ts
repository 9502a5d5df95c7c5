import type { ActivationStore } from '../models/activation-store.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import { holdsModel } from '../models/holds-model.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { stragglersOf } from './reembeds-for.ts';

export interface AfterSwitchDeps {
  readonly modelStore: Pick<ModelStore, 'activate' | 'bringUp' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'behindSinceSwitch' | 'recentSwitch'>;
}

/** Worker threads that may die with a new model before it gives way to the one before it. */
const MAX_DEATHS = 2;

/**
 * Goes back from a model whose worker threads have died again and again in the minute after the switch.
 *
 * @returns why, in a sentence; null if none gave way
 * @throws StoreUnavailable
 */
export async function giveWay(
  { activations, modelStore }: AfterSwitchDeps,
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
    // A model that dies now and then answers more than one that is not there.
    if (!statuses.some((status) => holdsModel(status, before.revision))) continue;
    const reason = `${deaths} worker threads died with the model ${model.name} within a minute: ${before.name} answers again.`;
    const embeds = before.embeddingDim !== null;
    const jobsFor = embeds ? stragglersOf(before) : undefined;
    await modelStore.activate(before.id, { jobsFor, gaveWay: reason });
    return reason;
  }
  return null;
}

/** The most that one host has seen. */
function deathsOf(statuses: readonly AnalyzerStatus[], { revision }: RegisteredModel): number {
  const deaths = statuses.map(
    ({ held = [] }) => held.find((one) => one.revision === revision)?.deaths ?? 0,
  );
  return Math.max(0, ...deaths);
}

/** Brings up what was stored with a model in the minute after it was replaced. @throws StoreUnavailable */
export async function bringUpStragglers(
  { activations, modelStore }: AfterSwitchDeps,
  active: readonly RegisteredModel[],
): Promise<void> {
  for (const model of active) {
    if (model.embeddingDim === null) continue;
    for (const environmentId of await activations.behindSinceSwitch(model.id)) {
      await modelStore.bringUp({ environmentId, modelId: model.id }, stragglersOf(model));
    }
  }
}
