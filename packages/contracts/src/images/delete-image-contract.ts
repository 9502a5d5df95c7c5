import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { purgeQuery } from '../operations/purge.ts';
import { idPath } from '../record-id.ts';

export const DeletedImage = z
  .object({
    source_image_id: z.int(),
    detections_deleted: z.int().min(0),
    crops_removed: z.int().min(0),
  })
  .meta({ id: 'DeletedImage' });

export const deleteImageContract = defineContract({
  method: 'DELETE',
  path: '/api/images/{id}',
  right: 'full',
  operation: 'delete_images',
  tag: 'Images',
  summary: 'Delete a source image with its detections, crops and embeddings',
  request: { path: idPath, query: purgeQuery },
  responses: { 200: jsonResponse('What was deleted.', DeletedImage) },
  problems: ['not_found'],
});
