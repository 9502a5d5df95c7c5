import { defineContract } from '../define-contract.ts';
import { mediaRequest, mediaResponses, sized } from './media-file.ts';

export const getSourceFileContract = defineContract({
  method: 'GET',
  path: '/media/sources/{id}/{hash}.jpg',
  right: 'read',
  tag: 'Media',
  summary: 'Get a source image as a JPEG',
  description: '`id` is the id of the source image.',
  request: { ...mediaRequest, query: sized(['384', '768']) },
  responses: mediaResponses,
  problems: ['not_found', 'range_not_satisfiable'],
});
