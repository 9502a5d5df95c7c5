import { revokeInvitationContract } from '@sightline/contracts/members/revoke-invitation-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';

export const revokeInvitationRoute = defineRoute(revokeInvitationContract, {
  async handler({ invitations }, { path, session, requestId }) {
    const { id: accountId } = session.account;
    const actor = { accountId, environmentId: path.id, requestId };
    if (!(await invitations.revoke(actor, path.invitation_id))) {
      throw new NotFound('invitation', path.invitation_id);
    }
    return { status: 204, body: undefined };
  },
});
