import { z } from 'zod';
import { BoundingBox } from '../detections/bounding-box.ts';
import { cropUrl, Suggestion } from '../detections/detection.ts';
import { confidence } from '../detections/face-attributes.ts';
import { timestamp } from '../timestamp.ts';

/** The members of a face that all lists for reviewers have in common. */
export const reviewedFace = {
  detection_id: z.int(),
  crop_url: cropUrl,
  source_image_id: z.int(),
  confidence,
  bbox: BoundingBox,
  detected_at: timestamp,
};

export const CurrentIdentity = z
  .object({ identity_id: z.int(), label: z.string() })
  .meta({ id: 'CurrentIdentity', description: 'The identity to which a face is assigned.' });

export const QueuedFace = z
  .object({
    ...reviewedFace,
    source_image_url: z.string().describe('Path of the stored image.'),
    current_identity: CurrentIdentity.nullable().describe('Null if the detection has no identity.'),
    suggested_matches: z
      .array(Suggestion)
      .max(5)
      .describe(
        'Possible identities, the most similar first, without identities from which the face was rejected.',
      ),
  })
  .meta({ id: 'QueuedFace', description: 'A face that waits for review.' });
