import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { FaceEmbedding } from './face-embedding.ts';

export const FaceEmbeddings = pageOf(FaceEmbedding).meta({ id: 'FaceEmbeddings' });

export const listFaceEmbeddingsContract = defineContract({
  method: 'GET',
  path: '/api/face-embeddings',
  right: 'read',
  tag: 'Face embeddings',
  summary: 'List enrolled faces of all models, newest first',
  request: {
    query: z.object({
      identity_id: integer().optional(),
      model_id: integer().optional(),
      ...optionalPage,
    }),
  },
  responses: { 200: jsonResponse('The enrolled faces.', FaceEmbeddings) },
  problems: [],
});
