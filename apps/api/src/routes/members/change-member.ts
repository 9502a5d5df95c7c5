import { changeMemberContract } from '@sightline/contracts/members/change-member-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentMember } from './present-member.ts';

export const changeMemberRoute = defineRoute(changeMemberContract, {
  async handler({ members, knownSessions }, { path, query, body, session, requestId }) {
    const { id: accountId } = session.account;
    const actor = { accountId, environmentId: path.id, requestId };
    const changes = { role: body.fields.role, keepsKeys: query.keep_keys };
    const member = await members.change(actor, path.account_id, changes);
    knownSessions.forgetAccount(path.account_id);
    return { status: 200, body: presentMember(member) };
  },
});
