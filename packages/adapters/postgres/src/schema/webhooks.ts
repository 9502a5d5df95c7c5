import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import {
  bytes,
  environmentId,
  generatedId,
  instant,
  rowId,
  snapshot,
  transactionId,
} from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** The subscriptions to events. */
export const webhooks = pgTable(
  'webhooks',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    url: text('url').notNull(),
    /** The event types it receives; empty means all. */
    events: text('events').array().notNull(),
    label: text('label'),
    isActive: boolean('is_active').notNull().default(true),
    disabledReason: text('disabled_reason'),
    /** Whether the setting `webhook.url` created it. */
    isSetting: boolean('is_setting').notNull().default(false),
    /** The signing secret, encrypted. */
    secret: bytes('secret'),
    /** The previous secret. For a day messages are also signed with it. */
    previousSecret: bytes('previous_secret'),
    secretChangedAt: instant('secret_changed_at'),
    /** The webhook receives the events of transactions that had not committed in this snapshot. */
    activeFrom: snapshot('active_from')
      .notNull()
      .default(sql`pg_current_snapshot()`),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    uniqueIndex('webhooks_setting')
      .on(table.environmentId)
      .where(sql`${table.isSetting}`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The foreign key of a table whose rows are deleted with their webhook. */
const webhookOf = <Table extends string>(
  name: string,
  environment: AnyPgColumn<{ tableName: Table }>,
  webhook: AnyPgColumn<{ tableName: Table }>,
) =>
  foreignKey({
    name,
    columns: [environment, webhook],
    foreignColumns: [webhooks.environmentId, webhooks.id],
  }).onDelete('cascade');

/**
 * The queued attempts: repeated ones, and first ones that the position of their webhook has passed. All other
 * pending attempts are only events of the outbox.
 */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    /** The position of its event in the outbox. */
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    eventId: uuid('event_id').notNull(),
    event: text('event').notNull(),
    /** The bytes of the request body. */
    body: bytes('body').notNull(),
    /** The number of the attempt, from 1. */
    attempt: smallint('attempt').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.webhookId, table.xid, table.id] }),
    webhookOf('webhook_attempts_webhook', table.environmentId, table.webhookId),
    index('webhook_attempts_first')
      .on(table.environmentId, table.webhookId, table.xid, table.id)
      .where(sql`${table.attempt} = 1`),
    index('webhook_attempts_repeated')
      .on(table.environmentId, table.webhookId, table.dueAt)
      .where(sql`${table.attempt} > 1`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The state of each webhook's delivery: whether messages are pending, and which dispatcher sends them. */
export const webhookTurns = pgTable(
  'webhook_turns',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    /** The position in the outbox up to which first attempts were made or queued as rows. */
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    /** When its next attempt is due; null if nothing is pending. */
    dueAt: instant('due_at'),
    /** The token of the dispatcher that is sending. */
    token: uuid('token'),
    leaseUntil: instant('lease_until'),
    /** Since when all attempts have failed; null if the last one succeeded. */
    failingSince: instant('failing_since'),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.webhookId] }),
    webhookOf('webhook_turns_webhook', table.environmentId, table.webhookId),
    index('webhook_turns_due').on(table.dueAt),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The log of attempts. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    id: generatedId(),
    eventId: uuid('event_id').notNull(),
    event: text('event').notNull(),
    attempt: smallint('attempt').notNull(),
    statusCode: smallint('status_code'),
    ok: boolean('ok').notNull(),
    durationMs: integer('duration_ms').notNull(),
    error: text('error'),
    /** When the attempt began. */
    createdAt: instant('created_at').notNull(),
    nextAttemptAt: instant('next_attempt_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.webhookId, table.id] }),
    webhookOf('webhook_deliveries_webhook', table.environmentId, table.webhookId),
    // A BRIN index suffices, because rows are inserted nearly in the order of their age.
    index('webhook_deliveries_age').using('brin', table.createdAt).with({ autosummarize: true }),
    check('webhook_deliveries_attempt', sql`${table.attempt} > 0`),
    ...environmentPolicies(table.environmentId),
  ],
);
