import { boolean, check, index, pgTable, sql, text, unique } from '../drizzle.ts';
import { accounts } from './accounts.ts';
import { bytes, environmentId, generatedId, instant } from './columns.ts';
import { environmentPolicies, platformPolicies } from './policies.ts';

export const environments = pgTable(
  'environments',
  {
    id: generatedId().primaryKey(),
    /** The account that created the environment; null for environments from before the first account. */
    ownerId: text('owner_id').references(() => accounts.id),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('environments_owner_name').on(table.ownerId, table.name).nullsNotDistinct(),
    ...environmentPolicies(table.id),
  ],
);

/** API keys. Scoped transactions may not read them. */
export const keys = pgTable(
  'keys',
  {
    id: generatedId().primaryKey(),
    environmentId: environmentId().references(() => environments.id),
    label: text('label').notNull(),
    right: text('right', { enum: ['full', 'review', 'read'] }).notNull(),
    /** Whether a key that no account made is an administrator's. The account decides about its own keys. */
    isAdmin: boolean('is_admin').notNull(),
    /** The account that made the key; null for keys of the command. */
    createdBy: text('created_by').references(() => accounts.id),
    prefix: text('prefix').notNull(),
    hash: bytes('hash').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('keys_hash').on(table.hash),
    index('keys_prefix').on(table.prefix),
    index('keys_environment').on(table.environmentId),
    check('keys_right', sql`${table.right} in ('full', 'review', 'read')`),
    check('keys_hash_length', sql`octet_length(${table.hash}) = 32`),
    ...platformPolicies(),
  ],
);
