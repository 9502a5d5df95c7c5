import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import { integer, jsonb, pgTable, text, unique } from '../drizzle.ts';
import { generatedId, instant } from './columns.ts';

/** Vector indexes that follow the changes of the rows. */
export const indexReaders = pgTable(
  'index_readers',
  {
    name: text('name').primaryKey(),
    /** The id of the registration. A reader that registers again gets a new one, without pending changes. */
    id: generatedId(),
    /** The number of points in the draft of a rebuilt index; null while no rebuild runs. */
    filling: integer('filling'),
    /** When the index got the rows that are older than the registration; null until then. */
    filledAt: instant('filled_at'),
    rebuildRequestedAt: instant('rebuild_requested_at'),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    comparedAt: instant('compared_at'),
    drift: jsonb('drift').$type<IndexDrift>(),
  },
  (table) => [unique('index_readers_id').on(table.id)],
);
