import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { purgeQuery } from '../operations/purge.ts';
import { idList } from '../record-id.ts';

export const DeletedIdentities = z
  .object({ deleted: z.int().min(0).describe('Number of identities that were deleted.') })
  .meta({ id: 'DeletedIdentities' });

export const deleteIdentitiesContract = defineContract({
  method: 'DELETE',
  path: '/api/identities',
  right: 'full',
  operation: 'delete_identities',
  tag: 'Identities',
  summary: 'Delete identities with their detections, crops and embeddings',
  description: 'Ids of unknown identities are skipped.',
  request: { query: purgeQuery, body: jsonBody(z.object({ identity_ids: idList })) },
  responses: { 200: jsonResponse('What was deleted.', DeletedIdentities) },
  problems: JSON_PROBLEMS,
});
