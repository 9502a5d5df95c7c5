import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';

const count = z.int().min(0);

export const Stats = z
  .object({
    identities: count,
    face_identities: count,
    object_identities: count,
    detections: count,
    face_detections: count,
    object_detections: count,
    source_images: count,
    pending_review: count.describe('Pending faces that nobody dismissed.'),
    storage: z.string().describe('What the images and crops take, for people to read.'),
    storage_bytes: count,
    storage_free: z
      .string()
      .nullable()
      .describe('What is free for more; null where the store does not tell.'),
    storage_free_bytes: count.nullable(),
  })
  .meta({ id: 'Stats' });

export const getStatsContract = defineContract({
  method: 'GET',
  path: '/api/stats',
  right: 'read',
  tag: 'Discovery',
  summary: 'What the environment holds',
  request: {},
  responses: { 200: jsonResponse('Counts and sizes.', Stats) },
  problems: [],
});
