import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { timestamp } from '../timestamp.ts';

export const AccountSession = z
  .object({
    id: z.int(),
    created_at: timestamp,
    last_used_at: timestamp,
    address: z.string().nullable().describe('The IP address that signed in.'),
    user_agent: z.string().nullable().describe('The browser that signed in, as it names itself.'),
    current: z.boolean().describe('Whether it is the session of this request.'),
  })
  .meta({ id: 'AccountSession' });

export const listSessionsContract = defineContract({
  method: 'GET',
  path: '/api/account/sessions',
  right: 'account',
  tag: 'Accounts',
  summary: 'List the own sessions, newest first',
  request: {},
  responses: {
    200: jsonResponse('The sessions.', z.object({ items: z.array(AccountSession) })),
  },
  problems: [],
});
