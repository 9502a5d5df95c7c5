import { z } from 'zod';
import { DetectionTypes } from '../detections/detection-types.ts';
import { ItemError } from '../item-error.ts';
import { DetectedFace, DetectedObject } from '../recognition/detection-run.ts';

const JobResult = z
  .object({
    index: z.int().min(0).describe('Position of the image in the request.'),
    filename: z.string().nullable().optional().describe('File name of the part, of an upload.'),
    image_url: z.string().optional().describe('Of an image that was given by its URL.'),
    source_image_id: z.int().optional().describe('Not of a posted image that failed.'),
    faces: z.array(DetectedFace).optional(),
    objects: z.array(DetectedObject).optional(),
    error: ItemError.optional().describe('Instead of faces and objects.'),
  })
  .meta({ id: 'JobResult', description: 'What was found in an image, or why it failed.' });

export const JobResults = z
  .object({
    total: z.int().min(0),
    type: DetectionTypes,
    results: z.array(JobResult).describe('In the order of the request.'),
  })
  .meta({
    id: 'JobResults',
    description: 'The results of `bulk_detect` and `reprocess`, as their requests answer them.',
  });
