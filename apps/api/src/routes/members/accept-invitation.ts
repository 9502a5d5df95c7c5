import { acceptInvitationContract } from '@sightline/contracts/members/accept-invitation-contract';
import { acceptInvitation } from '@sightline/core/accounts/accept-invitation';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from '../accounts/present-user.ts';
import { originOf } from '../accounts/origin-of.ts';

export const acceptInvitationRoute = defineRoute(acceptInvitationContract, {
  async handler(context, { body, session, visitor, requestId, signal }) {
    const { token: invitation, name, password } = body.fields;
    const { countedAddress } = visitor;
    const { account, environmentId, token } = await acceptInvitation(
      context,
      {
        token: invitation,
        session,
        name,
        password,
        countedAddress,
        origin: originOf(visitor),
        requestId,
      },
      signal,
    );
    context.knownSessions.forgetAccount(account.id);
    return {
      status: 200,
      body: { user: presentUser(account), environment_id: environmentId },
      ...(token !== null && { headers: { 'Set-Cookie': context.sessionCookie.set(token) } }),
    };
  },
});
