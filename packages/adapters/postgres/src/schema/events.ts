import { pgTable, primaryKey, text, uuid } from '../drizzle.ts';
import { environmentId, instant, rowId, transactionId } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** The last outbox event that each consumer has processed in each environment. */
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

/**
 * A position in the outbox per consumer, up to which the consumer has processed the events of all environments. A search
 * for overdue events starts there, so that its cost does not depend on the number of environments or of stored events.
 */
export const consumerFloors = pgTable('consumer_floors', {
  consumer: text('consumer', { enum: ['feed', 'webhooks'] }).primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
});

/** The last entry of each environment's change feed. */
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

/** The entries of the change feeds. The ids in one environment have no gaps. */
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
    createdAt: instant('created_at').notNull(),
    /** The operation of an undo; null for other changes. */
    operationId: rowId('operation_id'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The last outbox event that was published to each topic. */
export const relayPositions = pgTable('relay_positions', {
  topic: text('topic').primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
  movedAt: instant('moved_at').notNull().defaultNow(),
});
