import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const DeletedFaceEmbedding = z
  .object({ deleted: z.int().describe('Id of the reference.') })
  .meta({ id: 'DeletedFaceEmbedding' });

export const deleteFaceEmbeddingContract = defineContract({
  method: 'DELETE',
  path: '/api/face-embeddings/{id}',
  right: 'full',
  operation: 'revoke',
  tag: 'Face embeddings',
  summary: 'Delete a reference',
  description: 'The face keeps its identity, its status and its embedding.',
  request: { path: idPath },
  responses: { 200: jsonResponse('What was deleted.', DeletedFaceEmbedding) },
  problems: ['not_found'],
});
