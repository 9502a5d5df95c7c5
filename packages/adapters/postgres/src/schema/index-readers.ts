import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import { integer, jsonb, pgTable, text, unique } from '../drizzle.ts';
import { generatedId, instant } from './columns.ts';

/** The vector indexes that are kept up to date with the vectors in the database, one row per index. */
export const indexReaders = pgTable(
  'index_readers',
  {
    name: text('name').primaryKey(),
    /** The id of the registration. If a reader registers again, it gets a new id and has no pending changes. */
    id: generatedId(),
    /** The number of points in the draft of an index that is being rebuilt; null while no rebuild runs. */
    filling: integer('filling'),
    /** When the index had received all rows that are older than the registration; null before that. */
    filledAt: instant('filled_at'),
    rebuildRequestedAt: instant('rebuild_requested_at'),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    comparedAt: instant('compared_at'),
    drift: jsonb('drift').$type<IndexDrift>(),
  },
  (table) => [unique('index_readers_id').on(table.id)],
);
