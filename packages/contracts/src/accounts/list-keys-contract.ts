import { defineContract, jsonResponse } from '../define-contract.ts';
import { ApiKeys } from './api-key.ts';

export const listKeysContract = defineContract({
  method: 'GET',
  path: '/api/account/keys',
  right: 'account',
  tag: 'Accounts',
  summary: 'List the keys of the environments that the account owns, newest first',
  description: 'Expired and deleted keys are not listed.',
  request: {},
  responses: { 200: jsonResponse('The keys.', ApiKeys) },
  problems: [],
});
