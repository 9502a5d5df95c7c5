import type { Database, Stores } from '../database/database.ts';
import type { SuggestionRule } from '../detections/face-lists.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore } from '../models/model-store.ts';
import { effectiveSettings } from '../settings/effective-settings.ts';
import type { Scope } from '../store/scope.ts';
import { MAX_SUGGESTIONS, suggestionFloor } from './decide-face.ts';

/**
 * Runs a read with the rule that selects which suggestions are shown. These are suggestions of the active face model
 * that are as similar as the environment's settings require. The rule is null if no face model is active.
 *
 * @throws StoreUnavailable
 */
export async function readWithSuggestions<T>(
  deps: { readonly database: Database; readonly models: Pick<ModelStore, 'active'> },
  { scope, signal }: { readonly scope: Scope; readonly signal: AbortSignal },
  read: (stores: Stores, rule: SuggestionRule | null) => Promise<T>,
): Promise<T> {
  const model = await activeFaceModel(deps.models, signal);
  return deps.database.withScope(
    scope,
    async (stores) => read(stores, await suggestionRule(stores, model)),
    signal,
  );
}

/** Returns the rule of a model with the settings of the environment; null without a model. */
export async function suggestionRule(
  { settings }: Pick<Stores, 'settings'>,
  model: { readonly id: number } | null,
): Promise<SuggestionRule | null> {
  if (model === null) return null;
  const { matchThreshold } = effectiveSettings(await settings.all());
  const leastSimilarity = suggestionFloor(matchThreshold);
  return { modelId: model.id, leastSimilarity, most: MAX_SUGGESTIONS };
}
