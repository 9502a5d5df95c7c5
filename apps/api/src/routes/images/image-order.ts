import type { imageSort } from '@sightline/contracts/images/image-filter';
import { FIRST_TIME, LAST_TIME } from '@sightline/contracts/timestamp';
import type { SourcePosition } from '@sightline/core/sources/source-store';
import type { ListPosition } from '@sightline/core/store/list-position';
import { z } from 'zod';
import type { ListOrder } from '../../http/answer-list.ts';
import { type CursorPart, decodeCursor } from '../../http/cursor.ts';

type Sort = z.output<typeof imageSort>;

const instant = z.int().min(FIRST_TIME).max(LAST_TIME);

/** The values of a position that its order does not need. */
const NOTHING = { uploadedAt: new Date(0), detectionCount: 0, takenAt: null };

const byUpload = (sort: Sort): ListOrder<SourcePosition, SourcePosition> => {
  const Cursor = z
    .tuple([z.literal(sort), instant, z.int32(), z.int()])
    .transform(([, uploadedAt, detectionCount, id]): SourcePosition => ({
      uploadedAt: new Date(uploadedAt),
      detectionCount,
      takenAt: null,
      id,
    }));
  return {
    after: (cursor) => decodeCursor(Cursor, cursor),
    positionOf: (source) => source,
    cursorOf: ({ uploadedAt, detectionCount, id }) => [
      sort,
      uploadedAt.getTime(),
      detectionCount,
      id,
    ],
  };
};

const TakenCursor = z
  .tuple([z.literal('taken'), instant.nullable(), z.int()])
  .transform(([, takenAt, id]): SourcePosition => ({
    ...NOTHING,
    takenAt: takenAt === null ? null : new Date(takenAt),
    id,
  }));

const BY_TIME_TAKEN: ListOrder<SourcePosition, SourcePosition> = {
  after: (cursor) => decodeCursor(TakenCursor, cursor),
  positionOf: (source) => source,
  cursorOf: ({ takenAt, id }) => ['taken', takenAt?.getTime() ?? null, id],
};

export function orderBy(sort: Sort): ListOrder<SourcePosition, SourcePosition> {
  return sort === 'taken' ? BY_TIME_TAKEN : byUpload(sort);
}

/** The member of a position that gives each order. */
const VALUES = {
  newest: 'uploadedAt',
  oldest: 'uploadedAt',
  most_detections: 'detectionCount',
  fewest_detections: 'detectionCount',
  taken: 'takenAt',
} as const satisfies Readonly<Record<Sort, keyof SourcePosition>>;

/** Returns the cursor of a position of which only the value of the order is known. */
export function cursorOfValue(
  sort: Sort,
  { value, id }: ListPosition<Date | number | null>,
): readonly CursorPart[] | string {
  return orderBy(sort).cursorOf({ ...NOTHING, [VALUES[sort]]: value, id });
}
