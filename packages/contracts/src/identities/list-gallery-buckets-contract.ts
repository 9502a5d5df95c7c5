import { z } from 'zod';
import { bucketResponse, BUCKETS_DESCRIPTION } from '../buckets.ts';
import { defineContract } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { gallerySort } from './list-gallery-contract.ts';

export const listGalleryBucketsContract = defineContract({
  method: 'GET',
  path: '/api/identities/{id}/gallery/buckets',
  right: 'read',
  tag: 'Identities',
  summary: 'Divide the detections of an identity into buckets',
  description: BUCKETS_DESCRIPTION,
  request: { path: idPath, query: z.object({ sort: gallerySort }) },
  responses: bucketResponse,
  problems: ['not_found'],
});
