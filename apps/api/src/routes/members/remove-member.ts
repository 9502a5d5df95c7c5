import { removeMemberContract } from '@sightline/contracts/members/remove-member-contract';
import { defineRoute } from '../../http/define-route.ts';

export const removeMemberRoute = defineRoute(removeMemberContract, {
  async handler({ members, knownSessions }, { path, query, session }) {
    const actor = { accountId: session.account.id, environmentId: path.id };
    await members.remove(actor, path.account_id, { keepsKeys: query.keep_keys });
    knownSessions.forgetAccount(path.account_id);
    return { status: 204, body: undefined };
  },
});
