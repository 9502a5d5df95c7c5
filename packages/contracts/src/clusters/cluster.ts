import { z } from 'zod';
import { cropUrl } from '../detections/detection.ts';
import { confidence } from '../detections/face-attributes.ts';
import { numeric } from '../numeric.ts';
import { timestamp } from '../timestamp.ts';

const MAX_ITEMS = 1000;

export const ClusterItem = z
  .object({
    detection_id: z.int(),
    crop_url: cropUrl,
    confidence,
    detected_at: timestamp,
  })
  .meta({ id: 'ClusterItem', description: 'A face of a group.' });

export const Cluster = z
  .object({
    cluster_id: z
      .string()
      .describe('The id of the group. It stays the same while the faces of the group do.'),
    size: z.int().min(2).describe('Number of all faces of the group.'),
    items: z
      .array(ClusterItem)
      .max(MAX_ITEMS)
      .describe('The first faces of the group, the most certain detections first.'),
  })
  .meta({
    id: 'Cluster',
    description: 'Faces without an identity that are probably of one person.',
  });

export const similarity = z.number().min(-1).max(1);

/** The query parameter of all requests about groups. */
export const groupThreshold = numeric(similarity)
  .optional()
  .describe(
    'Similarity at which faces form a group, -1 to 1: a higher value makes more and smaller groups. Default: the setting face.cluster_threshold.',
  );

export const clusterAsOf = timestamp
  .nullable()
  .describe(
    'The groups have the faces of all changes up to this time, which never goes back and stays the same while nothing changes; null if the active face model has no data yet. Faces that were named, dismissed or deleted since then are left out. ISO 8601 in UTC with milliseconds.',
  );

export { MAX_ITEMS };
