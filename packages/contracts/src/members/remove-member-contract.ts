import { defineContract, emptyResponse } from '../define-contract.ts';
import { keepKeys, memberPath } from './member.ts';

export const removeMemberContract = defineContract({
  method: 'DELETE',
  path: '/api/account/environments/{id}/members/{account_id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Remove a member, or leave an environment',
  description:
    'Owners of the environment may remove members; every member may leave. The keys and invitations that the member has made there end. An environment whose creator leaves passes to its oldest other owner.',
  request: { path: memberPath, query: keepKeys },
  responses: { 204: emptyResponse('The account is no member any more.') },
  problems: ['invalid_request', 'not_found', 'forbidden', 'last_owner', 'environment_exists'],
});
