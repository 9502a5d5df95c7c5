import { createInvitationContract } from '@sightline/contracts/members/create-invitation-contract';
import { invite } from '@sightline/core/accounts/invite';
import { defineRoute } from '../../http/define-route.ts';
import { presentInvitation } from './present-invitation.ts';

export const createInvitationRoute = defineRoute(createInvitationContract, {
  async handler(context, { path, body, session, visitor, requestId }) {
    const { id: accountId } = session.account;
    const actor = { accountId, environmentId: path.id, requestId };
    const { token, ...invitation } = await invite(context, actor, body.fields);
    // Browsers send nothing behind the # to the server, so the secret is in no log.
    const url = `${visitor.serviceOrigin}/console/invitation#${token}`;
    return { status: 201, body: { ...presentInvitation(invitation), url } };
  },
});
