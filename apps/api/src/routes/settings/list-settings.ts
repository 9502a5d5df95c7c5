import { listSettingsContract } from '@sightline/contracts/settings/list-settings-contract';
import { defaultOf } from '@sightline/core/settings/setting-defaults';
import type { SettingDefinition } from '@sightline/core/settings/setting-definition';
import { SETTINGS } from '@sightline/core/settings/settings-catalog';
import { defineRoute } from '../../http/define-route.ts';
import { currentValue, presentValue, storedValues } from './current-value.ts';
import { maySee } from './visible-setting.ts';

export const listSettingsRoute = defineRoute(listSettingsContract, {
  async handler(context, { query, caller, scope, signal }) {
    const { settingDefaults } = context;
    const stored = await storedValues(context, scope, signal);
    const isListed = (key: string, definition: SettingDefinition) =>
      query.scope === 'installation' ? definition.scope === 'system' : maySee(caller, key);
    const items = Object.entries<SettingDefinition>(SETTINGS)
      .filter(([key, definition]) => isListed(key, definition))
      .map(([key, definition]) => ({
        key,
        value: currentValue(key, stored, settingDefaults),
        default: presentValue(defaultOf(key, settingDefaults)),
        type: definition.type,
        description: definition.description,
        scope: definition.scope,
      }));
    return { status: 200, body: { items } };
  },
});
