import { removeLoginContract } from '@sightline/contracts/sign-on/remove-login-contract';
import { removeLogin } from '@sightline/core/accounts/remove-login';
import { defineRoute } from '../../http/define-route.ts';

export const removeLoginRoute = defineRoute(removeLoginContract, {
  async handler(context, { session, requestId }) {
    await removeLogin(context, { accountId: session.account.id, requestId });
    return { status: 204, body: undefined };
  },
});
