import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { idPath } from '../record-id.ts';
import { GalleryItem } from './gallery-item.ts';

export const RejectedFaces = pageOf(GalleryItem).meta({ id: 'RejectedFaces' });

export const listRejectedFacesContract = defineContract({
  method: 'GET',
  path: '/api/identities/{id}/rejected',
  right: 'read',
  tag: 'Identities',
  summary: 'List the faces that were rejected from an identity, newest first',
  description: 'Lists the faces whose status is rejected now.',
  request: { path: idPath, query: z.object(optionalPage) },
  responses: { 200: jsonResponse('The faces.', RejectedFaces) },
  problems: ['not_found'],
});
