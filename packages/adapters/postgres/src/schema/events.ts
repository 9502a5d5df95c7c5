import { pgTable, primaryKey, text, uuid } from '../drizzle.ts';
import { environmentId, instant, rowId, transactionId } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** Up to which event of the outbox a consumer has come in each environment. */
export const consumerPositions = pgTable(
  'consumer_positions',
  {
    environmentId: environmentId().references(() => environments.id),
    consumer: text('consumer', { enum: ['feed', 'webhooks'] }).notNull(),
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.consumer] }),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The last entry of each change feed. */
export const feedHeads = pgTable(
  'feed_heads',
  {
    environmentId: environmentId()
      .primaryKey()
      .references(() => environments.id),
    lastId: rowId('last_id').notNull(),
  },
  (table) => environmentPolicies(table.environmentId),
);

/** The change feed: ids are dense in each environment. */
export const feedEntries = pgTable(
  'feed_entries',
  {
    environmentId: environmentId(),
    id: rowId('id').notNull(),
    eventId: uuid('event_id').notNull(),
    entityType: text('entity_type', { enum: ['detection', 'identity'] }).notNull(),
    entityId: rowId('entity_id').notNull(),
    action: text('action', {
      enum: ['created', 'relabeled', 'updated', 'merged', 'deleted'],
    }).notNull(),
    externalRef: text('external_ref'),
    /** Of the event. */
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Up to which event the outbox was published in a topic. */
export const relayPositions = pgTable('relay_positions', {
  topic: text('topic').primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
  movedAt: instant('moved_at').notNull().defaultNow(),
});
