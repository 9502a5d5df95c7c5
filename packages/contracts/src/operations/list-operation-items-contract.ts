import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { idPath } from '../record-id.ts';
import { OperationItem } from './operation.ts';

export const listOperationItemsContract = defineContract({
  method: 'GET',
  path: '/api/operations/{id}/items',
  right: 'read',
  tag: 'Operations',
  summary: 'List what an operation changed',
  description: 'Lists identities, then images, then detections, each by id.',
  request: { path: idPath, query: z.object(page) },
  responses: {
    200: jsonResponse('A page of items.', pageOf(OperationItem).meta({ id: 'OperationItems' })),
  },
  problems: ['not_found'],
});
