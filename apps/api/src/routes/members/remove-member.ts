import { removeMemberContract } from '@sightline/contracts/members/remove-member-contract';
import { defineRoute } from '../../http/define-route.ts';

export const removeMemberRoute = defineRoute(removeMemberContract, {
  async handler({ members, knownSessions }, { path, query, session, requestId }) {
    const { id: accountId } = session.account;
    const actor = { accountId, environmentId: path.id, requestId };
    await members.remove(actor, path.account_id, { keepsKeys: query.keep_keys });
    knownSessions.forgetAccount(path.account_id);
    return { status: 204, body: undefined };
  },
});
