import type { Database } from './database.ts';
import type { Scope } from '../store/scope.ts';
import { effectiveSettings, type EffectiveSettings } from '../settings/effective-settings.ts';

/**
 * The settings that hold in an environment now.
 *
 * @throws StoreUnavailable
 */
export async function loadSettings(
  database: Database,
  scope: Scope,
  signal?: AbortSignal,
): Promise<EffectiveSettings> {
  return database.withScope(
    scope,
    async ({ settings }) => effectiveSettings(await settings.all()),
    signal,
  );
}
