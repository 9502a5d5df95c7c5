import { acceptInvitationContract } from '@sightline/contracts/members/accept-invitation-contract';
import { acceptInvitation } from '@sightline/core/accounts/accept-invitation';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from '../accounts/present-user.ts';
import { originOf } from '../accounts/origin-of.ts';

export const acceptInvitationRoute = defineRoute(acceptInvitationContract, {
  async handler(context, { body, session, visitor, signal }) {
    const { token: invitation, name, password } = body.fields;
    const { countedAddress } = visitor;
    const origin = originOf(visitor);
    const request = { token: invitation, session, name, password, countedAddress, origin };
    const { account, environmentId, token } = await acceptInvitation(context, request, signal);
    context.knownSessions.forgetAccount(account.id);
    return {
      status: 200,
      body: { user: presentUser(account), environment_id: environmentId },
      ...(token !== null && { headers: { 'Set-Cookie': context.sessionCookie.set(token) } }),
    };
  },
});
