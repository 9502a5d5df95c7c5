import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { Detection } from '../detections/detection.ts';
import { idPath } from '../record-id.ts';
import { SourceImage } from './source-image.ts';

export const ImageDetails = SourceImage.extend({
  faces: z.array(Detection).describe('Faces in ascending order of id.'),
  objects: z.array(Detection).describe('Objects in ascending order of id.'),
}).meta({ id: 'ImageDetails' });

export const getImageContract = defineContract({
  method: 'GET',
  path: '/api/images/{id}',
  right: 'read',
  tag: 'Images',
  summary: 'Get a source image with its faces and objects',
  request: { path: idPath },
  responses: { 200: jsonResponse('The image with its faces and objects.', ImageDetails) },
  problems: ['not_found'],
});
