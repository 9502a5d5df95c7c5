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

/** Who is told of events. */
export const webhooks = pgTable(
  'webhooks',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    url: text('url').notNull(),
    /** Empty: all. */
    events: text('events').array().notNull(),
    label: text('label'),
    isActive: boolean('is_active').notNull().default(true),
    disabledReason: text('disabled_reason'),
    /** Whether it is the one that the setting `webhook.url` names. */
    isSetting: boolean('is_setting').notNull().default(false),
    /** Encrypted. */
    secret: bytes('secret'),
    /** The one before it, with which messages are signed, too, for a day. */
    previousSecret: bytes('previous_secret'),
    secretChangedAt: instant('secret_changed_at'),
    /** It gets the events of transactions that had not committed then. */
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

/** The key of a table whose rows go with their webhook. */
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
 * Attempts that wait in a row of their own: those that are repeated, and first ones that the place of their
 * webhook has passed. All others are only events of the outbox.
 */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    /** The place of its event in the outbox. */
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    eventId: uuid('event_id').notNull(),
    event: text('event').notNull(),
    /** What is sent, as its bytes. */
    body: bytes('body').notNull(),
    /** From 1. */
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

/** Which webhooks have something to be sent, and who sends it. */
export const webhookTurns = pgTable(
  'webhook_turns',
  {
    environmentId: environmentId(),
    webhookId: rowId('webhook_id').notNull(),
    /** Of the outbox: its first attempts up to here were made, or wait in rows of their own. */
    xid: transactionId('xid').notNull(),
    id: rowId('id').notNull(),
    /** When its next attempt is due; null: there is none. */
    dueAt: instant('due_at'),
    /** Of the dispatcher that sends. */
    token: uuid('token'),
    leaseUntil: instant('lease_until'),
    /** Since when all attempts have failed, and how many; null: the last one has not. */
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

/** Attempts that were made. */
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
    // Rows come nearly in the order of their age.
    index('webhook_deliveries_age').using('brin', table.createdAt).with({ autosummarize: true }),
    check('webhook_deliveries_attempt', sql`${table.attempt} > 0`),
    ...environmentPolicies(table.environmentId),
  ],
);
