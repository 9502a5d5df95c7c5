import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { keepKeys, Member, memberPath, Role } from './member.ts';

export const changeMemberContract = defineContract({
  method: 'PATCH',
  path: '/api/account/environments/{id}/members/{account_id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Change the role of a member',
  description:
    'Only owners of the environment may change roles. With a lower role the keys and invitations that the member has made there end.',
  request: {
    path: memberPath,
    query: keepKeys,
    body: accountBody(z.object({ role: Role })),
  },
  responses: { 200: jsonResponse('The member.', Member) },
  problems: [...JSON_PROBLEMS, 'not_found', 'forbidden', 'last_owner'],
});
