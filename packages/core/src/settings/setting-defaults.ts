import type { SettingValue } from './setting-definition.ts';
import { settingDefinition, type SettingKey, type SettingValueOf } from './settings-catalog.ts';

/** The settings whose defaults an installation may change: those that are read only with the settings of an environment. */
type InstallationKey = Extract<SettingKey, 'system.url_fetch_private'>;

/**
 * The defaults of an installation, which replace those of the product. A valid stored value takes precedence over both.
 */
export type SettingDefaults = { readonly [Key in InstallationKey]?: SettingValueOf<Key> };

/** @throws SettingNotFound */
export function defaultOf(key: string, defaults: SettingDefaults): SettingValue {
  const { default: ofProduct } = settingDefinition(key);
  return defaults[key as InstallationKey] ?? ofProduct;
}
