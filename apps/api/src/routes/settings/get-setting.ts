import { getSettingContract } from '@sightline/contracts/settings/get-setting-contract';
import { settingDefinition } from '@sightline/core/settings/settings-catalog';
import { defineRoute } from '../../http/define-route.ts';
import { currentValue, storedValues } from './current-value.ts';
import { requireVisible } from './visible-setting.ts';

export const getSettingRoute = defineRoute(getSettingContract, {
  async handler(context, { path, caller, scope, signal }) {
    const { key } = path;
    // An unknown key is refused before anything is read.
    settingDefinition(key);
    requireVisible(caller, key);
    const stored = await storedValues(context, scope, signal);
    return {
      status: 200,
      body: { key, value: currentValue(key, stored, context.settingDefaults) },
    };
  },
});
