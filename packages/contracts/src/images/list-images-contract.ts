import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { imageFilter, imageSort } from './image-filter.ts';
import { SourceImage } from './source-image.ts';

export const Images = pageOf(SourceImage).meta({ id: 'Images' });

export const listImagesContract = defineContract({
  method: 'GET',
  path: '/api/images',
  right: 'read',
  tag: 'Images',
  summary: 'List source images',
  request: { query: z.object({ ...imageFilter, sort: imageSort, ...page }) },
  responses: { 200: jsonResponse('A page of the matching images.', Images) },
  problems: [],
});
