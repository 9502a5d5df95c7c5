import type { SettingDefinition, SettingValue } from '@sightline/core/settings/setting-definition';

type Mutable = Exclude<SettingValue, readonly string[]> | string[];

export function currentValue({ read, default: fallback }: SettingDefinition, stored: unknown) {
  return presentValue(read(stored) ?? fallback);
}

export function presentValue(value: SettingValue): Mutable {
  return typeof value === 'object' ? [...value] : value;
}
