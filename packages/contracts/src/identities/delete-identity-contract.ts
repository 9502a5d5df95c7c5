import { defineContract, emptyResponse } from '../define-contract.ts';
import { purgeQuery } from '../operations/purge.ts';
import { idPath } from '../record-id.ts';

export const deleteIdentityContract = defineContract({
  method: 'DELETE',
  path: '/api/identities/{id}',
  right: 'full',
  operation: 'delete_identities',
  tag: 'Identities',
  summary: 'Delete an identity with its detections, crops and embeddings',
  description:
    'Source images that have no other detections are deleted too. Until the response, images may count detections that are already deleted.',
  request: { path: idPath, query: purgeQuery },
  responses: { 204: emptyResponse('The identity was deleted.') },
  problems: ['not_found'],
});
