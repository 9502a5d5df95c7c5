import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from '../identities/given-label.ts';
import { timeFilter } from '../timestamp.ts';
import { ApiKey, KeyType } from './api-key.ts';

export const CreatedKey = ApiKey.extend({
  key: z.string().describe('The key itself, shown only this once.'),
}).meta({ id: 'CreatedKey' });

export const createKeyContract = defineContract({
  method: 'POST',
  path: '/api/account/keys',
  right: 'account',
  tag: 'Accounts',
  summary: 'Create a key for an environment',
  description:
    'Only owners of the environment may create keys, and it has at most 1,000 valid ones. Full keys of an administrator may change models and settings of the installation, as long as the account is an administrator.',
  request: {
    body: accountBody(
      z.object({
        environment_id: z.int(),
        label: givenLabel,
        type: KeyType,
        expires_at: timeFilter
          .refine((time) => time.getTime() > Date.now(), { error: 'Expected a time in the future' })
          .nullish()
          .describe('The key is refused from this time on; absent or null: it does not expire.'),
      }),
    ),
  },
  responses: { 201: jsonResponse('The key.', CreatedKey) },
  problems: [...JSON_PROBLEMS, 'not_found', 'forbidden', 'limit_reached'],
});
