import { changeUserContract } from '@sightline/contracts/accounts/change-user-contract';
import { changeUser } from '@sightline/core/accounts/manage-accounts';
import { actorOf } from '@sightline/core/store/actor';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from './present-user.ts';

export const changeUserRoute = defineRoute(changeUserContract, {
  async handler(context, { path, body, session, requestId }) {
    const { disabled, is_admin: isAdmin, email_verified: emailVerified, password } = body.fields;
    const actor = actorOf({ accountId: session.account.id, requestId });
    const changed = { id: path.id, actor };
    const account = await changeUser(context, changed, {
      ...(disabled !== undefined && { isDisabled: disabled }),
      ...(isAdmin !== undefined && { isAdmin }),
      ...(emailVerified !== undefined && { emailVerified }),
      ...(password !== undefined && { password }),
    });
    context.knownSessions.forgetAccount(account.id);
    return { status: 200, body: presentUser(account) };
  },
});
