import { defineContract, jsonResponse } from '../define-contract.ts';
import { Profile } from './user.ts';

export const getProfileContract = defineContract({
  method: 'GET',
  path: '/api/account/me',
  right: 'account',
  tag: 'Accounts',
  summary: 'Get the own account',
  request: {},
  responses: { 200: jsonResponse('The account.', Profile) },
  problems: [],
});
