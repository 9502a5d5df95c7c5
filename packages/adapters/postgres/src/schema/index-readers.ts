import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import { integer, jsonb, pgTable, text, unique } from '../drizzle.ts';
import { generatedId, instant } from './columns.ts';

/** Vector indexes that follow the changes of the rows. */
export const indexReaders = pgTable(
  'index_readers',
  {
    name: text('name').primaryKey(),
    /** Of the registration: a reader that registers again gets a new one, without pending changes. */
    id: generatedId(),
    /** Points that a draft of the index has so far; null while none is filled. */
    filling: integer('filling'),
    /** Null until the index has the rows from before the registration. */
    filledAt: instant('filled_at'),
    rebuildRequestedAt: instant('rebuild_requested_at'),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    comparedAt: instant('compared_at'),
    drift: jsonb('drift').$type<IndexDrift>(),
  },
  (table) => [unique('index_readers_id').on(table.id)],
);
