import { changeUserContract } from '@sightline/contracts/accounts/change-user-contract';
import { changeUser } from '@sightline/core/accounts/manage-accounts';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from './present-user.ts';

export const changeUserRoute = defineRoute(changeUserContract, {
  async handler(context, { path, body }) {
    const { disabled, is_admin: isAdmin, password } = body.fields;
    const account = await changeUser(context, path.id, {
      ...(disabled !== undefined && { isDisabled: disabled }),
      ...(isAdmin !== undefined && { isAdmin }),
      ...(password !== undefined && { password }),
    });
    return { status: 200, body: presentUser(account) };
  },
});
