import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { imageFilter } from './image-filter.ts';

export const ImageCount = z.object({ count: z.int().min(0) }).meta({ id: 'ImageCount' });

export const countImagesContract = defineContract({
  method: 'GET',
  path: '/api/images/count',
  right: 'read',
  tag: 'Images',
  summary: 'Count the matching source images',
  request: { query: z.object(imageFilter) },
  responses: { 200: jsonResponse('Number of matching images.', ImageCount) },
  problems: [],
});
