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
    pending_review: count.describe('Faces that wait for review and were not dismissed.'),
    storage: z.string().describe('Size of all images and crops, with a unit.'),
    storage_bytes: count,
    set_aside_bytes: count.describe(
      'The part of `storage_bytes` that belongs to deleted records, which an undo brings back.',
    ),
    storage_free: z
      .string()
      .nullable()
      .describe('Free space, with a unit; null if the store does not report the free space.'),
    storage_free_bytes: count.nullable(),
  })
  .meta({ id: 'Stats' });

export const getStatsContract = defineContract({
  method: 'GET',
  path: '/api/stats',
  right: 'read',
  tag: 'Statistics',
  summary: 'Get the counts and sizes of the environment',
  request: {},
  responses: { 200: jsonResponse('The counts and sizes.', Stats) },
  problems: [],
});
