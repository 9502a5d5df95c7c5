import type {
  summaryFilter,
  summarySort,
} from '@sightline/contracts/identities/list-identity-summaries-contract';
import {
  type IdentityFilter,
  type IdentityOrder,
  type IdentityPlace,
  labelValue,
} from '@sightline/core/identities/identity-store';
import { z } from 'zod';
import type { ListOrder } from '../../http/answer-list.ts';
import { decodeCursor } from '../../http/cursor.ts';
import { cursorTime } from '../../http/time-cursor.ts';
import { BY_LABEL, filterOf } from './identity-query.ts';

export type SummaryQuery = z.output<z.ZodObject<typeof summaryFilter>> & {
  readonly sort: z.output<typeof summarySort>;
};

/** @throws InvalidSearchText if the text is too long */
export function summaryFilterOf(query: SummaryQuery): IdentityFilter {
  const { min_detections: minDetections, has_pending: hasPending } = query;
  return {
    ...filterOf(query),
    ...(minDetections !== undefined && minDetections > 0 && { minDetections }),
    ...(hasPending === true && { hasPending }),
  };
}

type PlaceOrder = Omit<ListOrder<never, IdentityPlace>, 'positionOf'>;

const DetectionsCursor = z
  .tuple([z.literal('detections'), z.int(), z.int()])
  .transform(([, value, id]): IdentityPlace => ({ value, id }));
const NewestCursor = z
  .tuple([z.literal('newest'), cursorTime, z.int()])
  .transform(([, value, id]): IdentityPlace => ({ value, id }));
const LastSeenCursor = z
  .tuple([z.literal('last_seen'), cursorTime.nullable(), z.int()])
  .transform(([, value, id]): IdentityPlace => ({ value, id }));

/** Translates cursors in each order. A cursor by label is the same with every filter. */
export const PLACE_ORDERS: Readonly<Record<IdentityOrder, PlaceOrder>> = {
  label: {
    after: (cursor) => {
      const position = BY_LABEL.after(cursor);
      return position && { value: labelValue(position), id: position.id };
    },
    cursorOf: ({ value, id }) => {
      const [label, type] = String(value).split('\u0001');
      return [label!, type!, id];
    },
  },
  detections: {
    after: (cursor) => decodeCursor(DetectionsCursor, cursor),
    cursorOf: ({ value, id }) => ['detections', value as number, id],
  },
  newest: {
    after: (cursor) => decodeCursor(NewestCursor, cursor),
    cursorOf: ({ value, id }) => ['newest', (value as Date).toISOString(), id],
  },
  last_seen: {
    after: (cursor) => decodeCursor(LastSeenCursor, cursor),
    cursorOf: ({ value, id }) => ['last_seen', (value as Date | null)?.toISOString() ?? null, id],
  },
};
