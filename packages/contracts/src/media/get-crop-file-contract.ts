import { defineContract } from '../define-contract.ts';
import { mediaRequest, mediaResponses, sized } from './media-file.ts';

export const getCropFileContract = defineContract({
  method: 'GET',
  path: '/media/crops/{id}/{hash}.jpg',
  right: 'read',
  tag: 'Media',
  summary: 'Get the crop of a face or an object as a JPEG',
  description: '`id` is the id of the detection.',
  request: { ...mediaRequest, query: sized(['96', '192', '384']) },
  responses: mediaResponses,
  problems: ['not_found', 'range_not_satisfiable'],
});
