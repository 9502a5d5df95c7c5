import { effectiveSettings, type EffectiveSettings } from '../settings/effective-settings.ts';
import type { Scope } from '../store/scope.ts';
import type { Database } from './database.ts';

/** @throws StoreUnavailable */
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
