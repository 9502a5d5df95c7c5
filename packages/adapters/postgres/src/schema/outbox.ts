import type { EventMessage } from '@sightline/contracts/events/event-message';
import { index, json, pgTable, primaryKey, smallint, sql, text, uuid } from '../drizzle.ts';
import { environmentId, generatedId, instant, transactionId } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/**
 * The outbox. Each event is written in the transaction of the change that caused it. Ordered by (xid, id), the events
 * of each entity are in the order in which they happened.
 */
export const outbox = pgTable(
  'outbox',
  {
    xid: transactionId('xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    id: generatedId(),
    environmentId: environmentId(),
    eventId: uuid('event_id')
      .notNull()
      .default(sql`uuidv7()`),
    event: text('event').$type<EventMessage['event']>().notNull(),
    /** The version of the format of `data`. */
    version: smallint('version').notNull(),
    /** The type is `json`, because `jsonb` would change the order of the members. */
    data: json('data').$type<EventMessage['data']>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.xid, table.id] }),
    index('outbox_by_environment').on(table.environmentId, table.xid, table.id),
    ...environmentPolicies(table.environmentId),
  ],
);
