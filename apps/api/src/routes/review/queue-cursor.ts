import type { QueueOrder, QueuePosition } from '@sightline/core/detections/face-lists';
import { z } from 'zod';
import type { ListOrder } from '../../http/answer-list.ts';
import { decodeCursor, readCursor } from '../../http/cursor.ts';
import { cursorTime } from '../../http/time-cursor.ts';

/** A number from 0 to 1 as JavaScript prints it, an underscore, and an id. */
const FORM = /^[01](?:\.\d+)?(?:e-\d+)?_\d+$|^[1-9](?:\.\d+)?e-\d+_\d+$/;

/** The documented cursor of the review queue by confidence: `<confidence>_<detection_id>`. */
export const QueueCursor = z
  .string()
  .regex(FORM)
  .transform((text) => text.split('_').map(Number))
  .pipe(z.tuple([z.number().max(1), z.int()]))
  .transform(([value, id]): QueuePosition => ({ value, id }));

export function queueCursorOf({ value, id }: QueuePosition): string {
  return `${String(value)}_${id}`;
}

const NewestCursor = z
  .tuple([z.literal('newest'), cursorTime, z.int()])
  .transform(([, value, id]): QueuePosition => ({ value, id }));

const SimilarityCursor = z
  .tuple([z.literal('similarity'), z.number().min(-1).max(1).nullable(), z.int()])
  .transform(([, value, id]): QueuePosition => ({ value, id }));

/** Translates cursors of the queue in each order. Those of the orders without a documented form are opaque. */
export const QUEUE_ORDERS: Readonly<
  Record<QueueOrder, Omit<ListOrder<never, QueuePosition>, 'positionOf'>>
> = {
  confidence: {
    after: (cursor) => readCursor(QueueCursor, cursor),
    cursorOf: queueCursorOf,
  },
  newest: {
    after: (cursor) => decodeCursor(NewestCursor, cursor),
    cursorOf: ({ value, id }) => ['newest', (value as Date).toISOString(), id],
  },
  similarity: {
    after: (cursor) => decodeCursor(SimilarityCursor, cursor),
    cursorOf: ({ value, id }) => ['similarity', value as number | null, id],
  },
};
