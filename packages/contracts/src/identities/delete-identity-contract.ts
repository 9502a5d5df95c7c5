import { defineContract, emptyResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const deleteIdentityContract = defineContract({
  method: 'DELETE',
  path: '/api/identities/{id}',
  right: 'full',
  tag: 'Identities',
  summary: 'Delete an identity with its detections, crops and embeddings',
  description: 'A source image that is left without detections is discarded.',
  request: { path: idPath },
  responses: { 204: emptyResponse('It is deleted.') },
  problems: ['not_found'],
});
