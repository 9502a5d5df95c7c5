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

export const webhooks = pgTable(
  'webhooks',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    url: text('url').notNull(),
    /** The event types that the webhook receives. An empty list means all types. */
    events: text('events').array().notNull(),
    label: text('label'),
    isActive: boolean('is_active').notNull().default(true),
    disabledReason: text('disabled_reason'),
    /** Whether the webhook was created from the setting `webhook.url`. */
    isSetting: boolean('is_setting').notNull().default(false),
    /** The encrypted signing secret. */
    secret: bytes('secret'),
    /** The previous signing secret, encrypted. Messages are signed with both secrets for one day after a change. */
    previousSecret: bytes('previous_secret'),
    secretChangedAt: instant('secret_changed_at'),
    /** The snapshot at the webhook's activation. The webhook receives events of transactions that commit after it. */
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

/** A foreign key that deletes the table's rows together with their webhook. */
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
 * Attempts that are queued as rows: retries, and first attempts for events before the webhook's position in the
 * outbox. A first attempt for an event after that position has no row, because the dispatcher finds the event in the
 * outbox.
 */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    /** The position of the event in the outbox. */
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    eventId: uuid('event_id').notNull(),
    event: text('event').notNull(),
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

/** The delivery state of each webhook: its pending messages, and the dispatcher that sends them. */
export const webhookTurns = pgTable(
  'webhook_turns',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    /** The position in the outbox up to which events have been sent or queued as rows. */
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    /** When the next attempt is due; null if no message is pending. */
    dueAt: instant('due_at'),
    token: uuid('token'),
    leaseUntil: instant('lease_until'),
    /** When the current series of failures began; null if the last attempt succeeded. */
    failingSince: instant('failing_since'),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.webhookId] }),
    webhookOf('webhook_turns_webhook', table.environmentId, table.webhookId),
    index('webhook_turns_due').on(table.dueAt, table.environmentId, table.webhookId),
    ...environmentPolicies(table.environmentId),
  ],
);

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
    /** The position of the event in the outbox; null for test messages, and for attempts of earlier releases. */
    outboxXid: transactionId('outbox_xid'),
    outboxId: rowId('outbox_id'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.webhookId, table.id] }),
    webhookOf('webhook_deliveries_webhook', table.environmentId, table.webhookId),
    // A BRIN index suffices, because rows are inserted almost in the order of their age.
    index('webhook_deliveries_age').using('brin', table.createdAt).with({ autosummarize: true }),
    check('webhook_deliveries_attempt', sql`${table.attempt} > 0`),
    ...environmentPolicies(table.environmentId),
  ],
);
