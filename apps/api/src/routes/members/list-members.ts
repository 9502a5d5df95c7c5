import { listMembersContract } from '@sightline/contracts/members/list-members-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentMember } from './present-member.ts';

export const listMembersRoute = defineRoute(listMembersContract, {
  async handler({ members }, { path, session, requestId, signal }) {
    const { id: accountId } = session.account;
    const actor = { accountId, environmentId: path.id, requestId };
    const items = await members.list(actor, signal);
    return { status: 200, body: { items: items.map(presentMember) } };
  },
});
