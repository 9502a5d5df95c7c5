import { getSettingContract } from '@sightline/contracts/settings/get-setting-contract';
import { settingDefinition } from '@sightline/core/settings/settings-catalog';
import { defineRoute } from '../../http/define-route.ts';
import { currentValue } from './current-value.ts';
import { requireVisible } from './visible-setting.ts';

export const getSettingRoute = defineRoute(getSettingContract, {
  async handler({ database }, { path, caller, scope, signal }) {
    const { key } = path;
    const definition = settingDefinition(key);
    requireVisible(caller, key);
    const stored = await database.withScope(scope, ({ settings }) => settings.all(), signal);
    return { status: 200, body: { key, value: currentValue(definition, stored.get(key)) } };
  },
});
