import { defineContract, jsonResponse } from '../define-contract.ts';
import { Environments } from './environment.ts';

export const listEnvironmentsContract = defineContract({
  method: 'GET',
  path: '/api/account/environments',
  right: 'account',
  tag: 'Accounts',
  summary: 'List the environments of the account, oldest first',
  request: {},
  responses: { 200: jsonResponse('The environments.', Environments) },
  problems: [],
});
