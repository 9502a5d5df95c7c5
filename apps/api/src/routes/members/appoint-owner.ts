import { appointOwnerContract } from '@sightline/contracts/members/appoint-owner-contract';
import { actorOf } from '@sightline/core/store/actor';
import { defineRoute } from '../../http/define-route.ts';
import { presentMember } from './present-member.ts';

export const appointOwnerRoute = defineRoute(appointOwnerContract, {
  async handler({ members, knownSessions }, { path, body, session, requestId }) {
    const actor = actorOf({ accountId: session.account.id, requestId });
    const member = await members.appointOwner(path.id, body.fields.account_id, actor);
    knownSessions.forgetAccount(member.accountId);
    return { status: 200, body: presentMember(member) };
  },
});
