import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { Detection, DetectionType } from '../detections/detection.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { idPath } from '../record-id.ts';

export const ImageDetections = pageOf(Detection).meta({ id: 'ImageDetections' });

export const listImageDetectionsContract = defineContract({
  method: 'GET',
  path: '/api/images/{id}/detections',
  right: 'read',
  tag: 'Images',
  summary: 'List the faces and objects of a source image',
  request: {
    path: idPath,
    query: z.object({
      type: DetectionType.optional().describe('Detections of this type. Default: both types.'),
      ...optionalPage,
    }),
  },
  responses: { 200: jsonResponse('The detections in ascending order of id.', ImageDetections) },
  problems: ['not_found'],
});
