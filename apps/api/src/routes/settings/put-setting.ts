import { putSettingContract } from '@sightline/contracts/settings/put-setting-contract';
import { changeSetting } from '@sightline/core/administration/change-setting';
import { defineRoute } from '../../http/define-route.ts';
import { presentValue } from './current-value.ts';

export const putSettingRoute = defineRoute(putSettingContract, {
  async handler(context, { path, body, caller, scope, actor, signal }) {
    const { key } = path;
    const { value } = body.fields;
    // Without an environment the sender is an administrator.
    const isAdmin = caller?.isAdmin ?? true;
    const current = await changeSetting(context, { scope, actor, isAdmin, key, value }, { signal });
    return { status: 200, body: { key, value: presentValue(current) } };
  },
});
