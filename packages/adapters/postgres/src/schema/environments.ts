import { boolean, check, index, pgTable, sql, text, unique } from '../drizzle.ts';
import { bytes, environmentId, generatedId, instant } from './columns.ts';
import { environmentPolicies, platformPolicies } from './policies.ts';

export const environments = pgTable(
  'environments',
  {
    id: generatedId().primaryKey(),
    /** The account of the owner; null until accounts exist. No other column links the environment to a person. */
    ownerId: text('owner_id'),
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
    right: text('right', { enum: ['full', 'read'] }).notNull(),
    isAdmin: boolean('is_admin').notNull(),
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
    check('keys_right', sql`${table.right} in ('full', 'read')`),
    check('keys_hash_length', sql`octet_length(${table.hash}) = 32`),
    ...platformPolicies(),
  ],
);
