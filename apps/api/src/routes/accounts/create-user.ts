import { createUserContract } from '@sightline/contracts/accounts/create-user-contract';
import { createUser } from '@sightline/core/accounts/manage-accounts';
import { actorOf } from '@sightline/core/store/actor';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from './present-user.ts';

export const createUserRoute = defineRoute(createUserContract, {
  async handler(context, { body, session, requestId }) {
    const { email, name, password: given, is_admin: isAdmin } = body.fields;
    const { account, password } = await createUser(
      context,
      { email, isAdmin, password: given, name },
      actorOf({ accountId: session.account.id, requestId }),
    );
    const made = password !== null && { password };
    return { status: 201, body: { ...presentUser(account), ...made } };
  },
});
