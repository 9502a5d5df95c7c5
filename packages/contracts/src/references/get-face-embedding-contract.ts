import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { FaceEmbedding } from './face-embedding.ts';

export const getFaceEmbeddingContract = defineContract({
  method: 'GET',
  path: '/api/face-embeddings/{id}',
  right: 'read',
  tag: 'Face embeddings',
  summary: 'Get an enrolled face',
  request: { path: idPath },
  responses: { 200: jsonResponse('The enrolled face.', FaceEmbedding) },
  problems: ['not_found'],
});
