import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from '../identities/given-label.ts';
import { Environment } from './environment.ts';

export const createEnvironmentContract = defineContract({
  method: 'POST',
  path: '/api/account/environments',
  right: 'account',
  tag: 'Accounts',
  summary: 'Create an environment',
  description: 'The account becomes its owner. An account owns at most 100 environments.',
  request: { body: accountBody(z.object({ name: givenLabel })) },
  responses: { 201: jsonResponse('The environment.', Environment) },
  problems: [...JSON_PROBLEMS, 'environment_exists', 'limit_reached'],
});
