import { defaultOf, type SettingDefaults } from '@sightline/core/settings/setting-defaults';
import type { SettingValue } from '@sightline/core/settings/setting-definition';
import { settingDefinition } from '@sightline/core/settings/settings-catalog';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../../context/api-context.ts';

type Mutable = Exclude<SettingValue, readonly string[]> | string[];

/** The stored values in an environment; those of the installation alone without one. */
export function storedValues(
  { database, systemSettings }: Pick<ApiContext, 'database' | 'systemSettings'>,
  scope: Scope | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  if (scope === undefined) return systemSettings.all(signal);
  return database.withScope(scope, ({ settings }) => settings.all(), signal);
}

/** @throws SettingNotFound */
export function currentValue(
  key: string,
  stored: ReadonlyMap<string, unknown>,
  defaults: SettingDefaults,
): Mutable {
  const valid = settingDefinition(key).read(stored.get(key));
  return presentValue(valid ?? defaultOf(key, defaults));
}

export function presentValue(value: SettingValue): Mutable {
  return typeof value === 'object' ? [...value] : value;
}
