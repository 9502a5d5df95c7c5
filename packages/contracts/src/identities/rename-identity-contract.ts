import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from './given-label.ts';
import { idPath } from '../record-id.ts';

export const RenamedIdentity = z
  .object({ id: z.int(), label: z.string() })
  .meta({ id: 'RenamedIdentity' });

export const renameIdentityContract = defineContract({
  method: 'PUT',
  path: '/api/identities/{id}',
  right: 'full',
  operation: 'rename',
  tag: 'Identities',
  summary: 'Rename an identity',
  request: { path: idPath, body: jsonBody(z.object({ label: givenLabel })) },
  responses: { 200: jsonResponse('The identity with its label.', RenamedIdentity) },
  problems: [...JSON_PROBLEMS, 'not_found', 'identity_exists'],
});
