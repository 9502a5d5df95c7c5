import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import { integer, jsonb, pgTable, text, unique } from '../drizzle.ts';
import { generatedId, instant } from './columns.ts';

/** Indexes of vectors that are kept in step with the rows. */
export const indexReaders = pgTable(
  'index_readers',
  {
    name: text('name').primaryKey(),
    /** Of the registration: who registers anew gets another one, under which nothing is noted yet. */
    id: generatedId(),
    /** Points that a draft of the index has so far; null while none is filled. */
    filling: integer('filling'),
    /** Null while the index does not hold what was there before the registration. */
    filledAt: instant('filled_at'),
    rebuildRequestedAt: instant('rebuild_requested_at'),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    comparedAt: instant('compared_at'),
    drift: jsonb('drift').$type<IndexDrift>(),
  },
  (table) => [unique('index_readers_id').on(table.id)],
);
