import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { accountId, Member } from './member.ts';

export const appointOwnerContract = defineContract({
  method: 'POST',
  path: '/api/account/environments/{id}/owner',
  right: 'administrator',
  tag: 'Accounts',
  summary: 'Appoint an owner of an environment whose owners are all disabled',
  request: { path: idPath, body: accountBody(z.object({ account_id: accountId })) },
  responses: { 200: jsonResponse('The member.', Member) },
  problems: [...JSON_PROBLEMS, 'not_found', 'owner_exists'],
});
