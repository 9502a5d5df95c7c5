import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from '../identities/given-label.ts';
import { idPath } from '../record-id.ts';
import { Environment } from './environment.ts';

export const renameEnvironmentContract = defineContract({
  method: 'PATCH',
  path: '/api/account/environments/{id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Rename an environment',
  description: 'Only owners of the environment may rename it.',
  request: { path: idPath, body: accountBody(z.object({ name: givenLabel })) },
  responses: { 200: jsonResponse('The environment.', Environment) },
  problems: [...JSON_PROBLEMS, 'not_found', 'forbidden', 'environment_exists'],
});
