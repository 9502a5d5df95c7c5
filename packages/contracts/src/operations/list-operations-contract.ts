import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { page, pageOf } from '../pagination.ts';
import { storableText } from '../text.ts';
import { timeFilter } from '../timestamp.ts';
import { Operation, OperationKind } from './operation.ts';

const MAX_ACCOUNT_ID_LENGTH = 100;

export const listOperationsContract = defineContract({
  method: 'GET',
  path: '/api/operations',
  right: 'read',
  tag: 'Operations',
  summary: 'List operations, newest first',
  description:
    'Lists the requests that changed what people decided. Each of these requests has the id of its operation in the header `X-Operation-Id`. Callers with the right `read` do not see who made an operation, and may not filter by it.',
  request: {
    query: z.object({
      identity_id: integer().optional().describe('Operations that concern this identity.'),
      detection_id: integer().optional().describe('Operations that changed this detection.'),
      kind: OperationKind.optional(),
      account_id: storableText(MAX_ACCOUNT_ID_LENGTH).optional(),
      key_id: integer().optional(),
      since: timeFilter.optional().describe('Operations at this time or later.'),
      until: timeFilter.optional().describe('Operations before this time.'),
      ...page,
    }),
  },
  responses: {
    200: jsonResponse('A page of operations.', pageOf(Operation).meta({ id: 'Operations' })),
  },
  problems: ['forbidden'],
});
