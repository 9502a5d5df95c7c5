import type { EventMessage } from '@sightline/contracts/events/event-message';
import { index, json, pgTable, primaryKey, smallint, sql, text, uuid } from '../drizzle.ts';
import { environmentId, generatedId, instant, transactionId } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/**
 * The events, written in the transactions of the changes that caused them. The order (xid, id) keeps the events of
 * each entity in the order in which they happened.
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
    /** The version of the contract that `data` follows. */
    version: smallint('version').notNull(),
    /** The type is `json` so that readers get the members in the order in which they were written. */
    data: json('data').$type<EventMessage['data']>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.xid, table.id] }),
    index('outbox_by_environment').on(table.environmentId, table.xid, table.id),
    ...environmentPolicies(table.environmentId),
  ],
);
