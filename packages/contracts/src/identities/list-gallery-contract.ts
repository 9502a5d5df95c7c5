import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { idPath } from '../record-id.ts';
import { GalleryItem } from './gallery-item.ts';

export const Gallery = pageOf(GalleryItem).meta({ id: 'Gallery' });

export const gallerySort = z.enum(['newest', 'oldest']).optional().describe('Default: newest.');

export const listGalleryContract = defineContract({
  method: 'GET',
  path: '/api/identities/{id}/gallery',
  right: 'read',
  tag: 'Identities',
  summary: 'List the detections of an identity',
  description:
    'The cursor of the next page is `<detected_at>_<detection_id>` of the last item, for both orders.',
  request: {
    path: idPath,
    query: z.object({
      sort: gallerySort,
      ...page,
    }),
  },
  responses: { 200: jsonResponse('The detections.', Gallery) },
  problems: ['not_found'],
});
