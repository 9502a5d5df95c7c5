import { index, json, pgTable, primaryKey, smallint, text, uuid } from '../drizzle.ts';
import { bytes, environmentId, instant, rowId } from './columns.ts';
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
    /** The operation that the request is. */
    operationId: rowId('operation_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
    ...environmentPolicies(table.environmentId),
  ],
);
