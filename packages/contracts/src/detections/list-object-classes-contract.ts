import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { optionalPage, pageOf } from '../pagination.ts';

export const ObjectClass = z
  .object({
    class_name: z.string(),
    detection_count: z
      .int()
      .min(1)
      .describe(
        'Number of detected objects of this class. Objects that were assigned to another identity keep their class.',
      ),
    identity_id: z
      .int()
      .nullable()
      .describe(
        'The identity of type `object` whose label is the name of the class, if there is one.',
      ),
    thumbnail_url: z
      .string()
      .nullable()
      .describe('Path of the crop that shows this identity; null without an identity or a crop.'),
  })
  .meta({ id: 'ObjectClass' });

export const ObjectClasses = pageOf(ObjectClass).meta({ id: 'ObjectClasses' });

export const listObjectClassesContract = defineContract({
  method: 'GET',
  path: '/api/detections/classes',
  right: 'read',
  tag: 'Detections',
  summary: 'List the classes of detected objects with their counts',
  request: { query: z.object(optionalPage) },
  responses: { 200: jsonResponse('The classes in ascending order of their names.', ObjectClasses) },
  problems: [],
});
