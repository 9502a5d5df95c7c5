import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const SourceImage = z
  .object({
    id: z.int(),
    external_ref: z.string().nullable(),
    file_path: z.string().describe('The key of the stored image in the place of images.'),
    width: z.int().min(1).describe('In pixels of the upright original.'),
    height: z.int().min(1).describe('In pixels of the upright original.'),
    uploaded_at: timestamp,
    detection_count: z.int().min(0).describe('Faces and objects.'),
    source_image_url: z.string().describe('Path of the stored image.'),
  })
  .meta({ id: 'SourceImage' });
