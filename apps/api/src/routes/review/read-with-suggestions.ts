import type { Stores } from '@sightline/core/database/database';
import type { SuggestionRule } from '@sightline/core/detections/face-lists';
import { MAX_SUGGESTIONS, suggestionFloor } from '@sightline/core/matching/decide-face';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../../api-context.ts';

/**
 * Reads with the rule of which suggestions are shown now: those of the active face model, as similar as
 * the environment's settings ask for. The rule is null without an active face model.
 */
export async function readWithSuggestions<T>(
  { database, modelStore }: Pick<ApiContext, 'database' | 'modelStore'>,
  { scope, signal }: { readonly scope: Scope; readonly signal: AbortSignal },
  read: (stores: Stores, rule: SuggestionRule | null) => Promise<T>,
): Promise<T> {
  const active = await modelStore.active(signal);
  const model = active.find(({ task }) => task === 'face');
  return database.withScope(
    scope,
    async (stores) => {
      if (model === undefined) return read(stores, null);
      const { matchThreshold } = effectiveSettings(await stores.settings.all());
      const leastSimilarity = suggestionFloor(matchThreshold);
      return read(stores, { modelId: model.id, leastSimilarity, most: MAX_SUGGESTIONS });
    },
    signal,
  );
}
