import { index, json, jsonb, pgTable, primaryKey, smallint, text, uuid } from '../drizzle.ts';
import { bytes, environmentId, generatedId, instant, rowId } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/** Requests with an idempotency key, and their responses. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    environmentId: environmentId(),
    key: text('key').notNull(),
    fingerprint: bytes('fingerprint').notNull(),
    token: uuid('token').notNull(),
    leaseUntil: instant('lease_until').notNull(),
    /** The HTTP status of the response; null while the request runs. */
    status: smallint('status'),
    /**
     * The type is `json`, because `jsonb` would change the order of members and thus the text of a repeated response.
     */
    body: json('body'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
    ...environmentPolicies(table.environmentId),
  ],
);

export const audit = pgTable(
  'audit',
  {
    environmentId: environmentId(),
    id: generatedId(),
    at: instant('at').notNull().defaultNow(),
    keyId: rowId('key_id'),
    action: text('action').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: rowId('entity_id'),
    details: jsonb('details').$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index('audit_at').on(table.environmentId, table.at, table.id),
    ...environmentPolicies(table.environmentId),
  ],
);
