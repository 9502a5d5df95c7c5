import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Member } from './member.ts';

export const listMembersContract = defineContract({
  method: 'GET',
  path: '/api/account/environments/{id}/members',
  right: 'account',
  tag: 'Accounts',
  summary: 'List the members of an environment, oldest first',
  description: 'Only owners of the environment may list them.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The members.', z.object({ items: z.array(Member) })) },
  problems: ['not_found', 'forbidden'],
});
