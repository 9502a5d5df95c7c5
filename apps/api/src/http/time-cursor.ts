import { integer } from '@sightline/contracts/numeric';
import { FIRST_TIME } from '@sightline/contracts/timestamp';
import type { TimePosition } from '@sightline/core/detections/face-lists';
import { z } from 'zod';
import type { ListOrder } from './answer-list.ts';
import { decodeCursor, readCursor } from './cursor.ts';

/** A time in a cursor. */
export const cursorTime = z.iso
  .datetime({ precision: 3 })
  .refine((text) => Date.parse(text) >= FIRST_TIME)
  .transform((text) => new Date(text));

/** The documented cursor of a list by time: `<detected_at>_<detection_id>`. */
export const TimeCursor = z
  .string()
  .transform((text): unknown => text.split('_'))
  .pipe(z.tuple([cursorTime, integer()]))
  .transform(([detectedAt, id]): TimePosition => ({ detectedAt, id }));

export function timeCursorOf({ detectedAt, id }: TimePosition): string {
  return `${detectedAt.toISOString()}_${id}`;
}

/** A list by time. Its cursor has the documented form of `TimeCursor`. */
export const BY_TIME: ListOrder<TimePosition, TimePosition> = {
  after: (cursor) => readCursor(TimeCursor, cursor),
  positionOf: (item) => item,
  cursorOf: timeCursorOf,
};

/** A list by time. Its opaque cursor has the name of the list, the time and the id. */
export function byNamedTime(list: string): ListOrder<TimePosition, TimePosition> {
  const Cursor = z
    .tuple([z.literal(list), cursorTime, z.int()])
    .transform(([, detectedAt, id]): TimePosition => ({ detectedAt, id }));
  return {
    after: (cursor) => decodeCursor(Cursor, cursor),
    positionOf: (item) => item,
    cursorOf: ({ detectedAt, id }) => [list, detectedAt.toISOString(), id],
  };
}
