import type { SettingValue } from './setting-definition.ts';
import { settingDefinition, type SettingKey } from './settings-catalog.ts';

/** The defaults of an installation, which replace those of the product. A stored value takes precedence over both. */
export type SettingDefaults = Readonly<Partial<Record<SettingKey, SettingValue>>>;

/** @throws SettingNotFound */
export function defaultOf(key: string, defaults: SettingDefaults): SettingValue {
  const { default: ofProduct } = settingDefinition(key);
  return defaults[key as SettingKey] ?? ofProduct;
}
