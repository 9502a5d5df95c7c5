import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { KnownEnvironment } from './environment.ts';

export const getEnvironmentContract = defineContract({
  method: 'GET',
  path: '/api/account/environments/{id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Get an environment',
  description:
    'While the environment is being deleted, `deleting` has the progress. Then it is 404.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The environment.', KnownEnvironment) },
  problems: ['not_found'],
});
