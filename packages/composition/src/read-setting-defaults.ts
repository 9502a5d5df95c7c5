import type { SettingDefaults } from '@sightline/core/settings/setting-defaults';
import type { Config } from '@sightline/platform/config/variable-groups';

/** The defaults of settings that the configuration changes. */
export function readSettingDefaults({ urlFetchPrivate }: Config<'settings'>): SettingDefaults {
  return urlFetchPrivate === 'on' ? {} : { 'system.url_fetch_private': false };
}
