import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Environment } from './environment.ts';

export const getEnvironmentContract = defineContract({
  method: 'GET',
  path: '/api/account/environments/{id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Get an environment',
  request: { path: idPath },
  responses: { 200: jsonResponse('The environment.', Environment) },
  problems: ['not_found'],
});
