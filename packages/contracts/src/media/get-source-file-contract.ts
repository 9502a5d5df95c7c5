import { defineContract } from '../define-contract.ts';
import { mediaRequest, mediaResponses } from './media-file.ts';

export const getSourceFileContract = defineContract({
  method: 'GET',
  path: '/media/sources/{id}/{hash}.jpg',
  right: 'read',
  tag: 'Media',
  summary: 'The stored JPEG of a source image',
  description: 'The id is that of the source image.',
  request: mediaRequest,
  responses: mediaResponses,
  problems: ['not_found', 'range_not_satisfiable'],
});
