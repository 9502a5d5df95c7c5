import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { User } from './user.ts';

export const getSessionContract = defineContract({
  method: 'GET',
  path: '/api/auth/session',
  right: 'signed-in',
  tag: 'Accounts',
  summary: 'Get the account that is signed in',
  request: {},
  responses: {
    200: jsonResponse(
      'The account and the environment of its requests.',
      z.object({
        user: User,
        environment_id: z
          .int()
          .nullable()
          .describe(
            'The environment of requests without `X-Environment-Id`; null if there is none.',
          ),
      }),
    ),
  },
  problems: [],
});
