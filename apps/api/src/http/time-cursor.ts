import { integer } from '@sightline/contracts/numeric';
import { FIRST_TIME } from '@sightline/contracts/timestamp';
import type { TimePosition } from '@sightline/core/detections/face-lists';
import { z } from 'zod';

const time = z.iso
  .datetime({ precision: 3 })
  .refine((text) => Date.parse(text) >= FIRST_TIME)
  .transform((text) => new Date(text));

/** The documented cursor of a list by time: `<detected_at>_<detection_id>`. */
export const TimeCursor = z
  .string()
  .transform((text): unknown => text.split('_'))
  .pipe(z.tuple([time, integer()]))
  .transform(([detectedAt, id]): TimePosition => ({ detectedAt, id }));

export function timeCursorOf({ detectedAt, id }: TimePosition): string {
  return `${detectedAt.toISOString()}_${id}`;
}

/** An opaque cursor of a list by time: it begins with the name of the list. */
export function namedTimeCursor(list: string) {
  return z
    .tuple([z.literal(list), time, z.int()])
    .transform(([, detectedAt, id]): TimePosition => ({ detectedAt, id }));
}

export function namedTimeCursorOf(list: string) {
  return ({ detectedAt, id }: TimePosition) => [list, detectedAt.toISOString(), id];
}
