import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLocale, givenName, Profile } from './user.ts';

export const changeProfileContract = defineContract({
  method: 'PATCH',
  path: '/api/account/me',
  right: 'account',
  tag: 'Accounts',
  summary: 'Change the own account',
  description: 'Absent members keep their values.',
  request: {
    body: accountBody(
      z.object({
        name: givenName.optional(),
        locale: givenLocale.nullable().optional(),
        default_environment_id: z.int().nullable().optional(),
      }),
    ),
  },
  responses: { 200: jsonResponse('The account.', Profile) },
  problems: [...JSON_PROBLEMS, 'not_found'],
});
