import { listInvitationsContract } from '@sightline/contracts/members/list-invitations-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentInvitation } from './present-invitation.ts';

export const listInvitationsRoute = defineRoute(listInvitationsContract, {
  async handler({ invitations }, { path, session, requestId, signal }) {
    const { id: accountId } = session.account;
    const actor = { accountId, environmentId: path.id, requestId };
    const items = await invitations.list(actor, signal);
    return { status: 200, body: { items: items.map(presentInvitation) } };
  },
});
