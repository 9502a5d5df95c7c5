import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { User } from './user.ts';

export const listUsersContract = defineContract({
  method: 'GET',
  path: '/api/account/users',
  right: 'administrator',
  tag: 'Accounts',
  summary: 'List all accounts, oldest first',
  request: {},
  responses: { 200: jsonResponse('The accounts.', z.object({ items: z.array(User) })) },
  problems: [],
});
