import { listSettingsContract } from '@sightline/contracts/settings/list-settings-contract';
import { defaultOf } from '@sightline/core/settings/setting-defaults';
import type { SettingDefinition } from '@sightline/core/settings/setting-definition';
import { SETTINGS } from '@sightline/core/settings/settings-catalog';
import { defineRoute } from '../../http/define-route.ts';
import { currentValue, presentValue } from './current-value.ts';
import { maySee } from './visible-setting.ts';

export const listSettingsRoute = defineRoute(listSettingsContract, {
  async handler({ database, settingDefaults }, { caller, scope, signal }) {
    const stored = await database.withScope(scope, ({ settings }) => settings.all(), signal);
    const items = Object.entries<SettingDefinition>(SETTINGS)
      .filter(([key]) => maySee(caller, key))
      .map(([key, definition]) => ({
        key,
        value: currentValue(definition, stored.get(key)),
        default: presentValue(defaultOf(key, settingDefaults)),
        type: definition.type,
        description: definition.description,
        scope: definition.scope,
      }));
    return { status: 200, body: { items } };
  },
});
