import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { imageFilter, imageSort } from './image-filter.ts';

export const ImageIds = z.object({ ids: z.array(z.int()) }).meta({ id: 'ImageIds' });

export const listImageIdsContract = defineContract({
  method: 'GET',
  path: '/api/images/ids',
  right: 'read',
  tag: 'Images',
  summary: 'List the ids of all matching source images',
  request: { query: z.object({ ...imageFilter, sort: imageSort }) },
  responses: {
    200: jsonResponse(
      'All matching ids in the requested order. The service streams the response.',
      ImageIds,
    ),
  },
  problems: [],
});
