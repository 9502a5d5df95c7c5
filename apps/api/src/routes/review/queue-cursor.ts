import type { QueuePosition } from '@sightline/core/detections/face-lists';
import { z } from 'zod';

/** A number from 0 to 1 as JavaScript prints it, an underscore, and an id. */
const FORM = /^[01](?:\.\d+)?(?:e-\d+)?_\d+$|^[1-9](?:\.\d+)?e-\d+_\d+$/;

/** The documented cursor of the review queue: `<confidence>_<detection_id>`. */
export const QueueCursor = z
  .string()
  .regex(FORM)
  .transform((text) => text.split('_').map(Number))
  .pipe(z.tuple([z.number().max(1), z.int()]))
  .transform(([confidence, id]): QueuePosition => ({ confidence, id }));

export function queueCursorOf({ confidence, id }: QueuePosition): string {
  return `${confidence}_${id}`;
}
