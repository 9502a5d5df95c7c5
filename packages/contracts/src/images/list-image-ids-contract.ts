import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { imageFilter } from './image-filter.ts';

export const ImageIds = z.object({ ids: z.array(z.int()) }).meta({ id: 'ImageIds' });

export const listImageIdsContract = defineContract({
  method: 'GET',
  path: '/api/images/ids',
  right: 'read',
  tag: 'Images',
  summary: 'Ids of all source images that fit',
  request: { query: z.object(imageFilter) },
  responses: { 200: jsonResponse('All of them, in the order asked for.', ImageIds) },
  problems: [],
});
