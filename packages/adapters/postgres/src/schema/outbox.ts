import type { DomainEvent } from '@sightline/core/events/domain-event';
import { json, pgTable, primaryKey, sql, text, uuid } from '../drizzle.ts';
import { environmentId, generatedId, instant, transactionId } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/**
 * Events, written with the changes that caused them. In the order (xid, id) each entity's events are
 * in the order in which they happened, up to the oldest transaction that is still open.
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
    event: text('event').$type<DomainEvent['event']>().notNull(),
    /** As text: readers get the members in the order in which they were written. */
    data: json('data').$type<DomainEvent['data']>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.xid, table.id] }),
    ...environmentPolicies(table.environmentId),
  ],
);
