import {
  bigint,
  boolean,
  check,
  index,
  pgTable,
  sql,
  text,
  unique,
  uniqueIndex,
} from '../drizzle.ts';
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
    /**
     * When an owner requested the deletion; null if no owner did. Since then keys and sessions do not find the environment,
     * and scoped transactions write nothing.
     */
    deletingSince: instant('deleting_since'),
  },
  (table) => [
    uniqueIndex('environments_owner_name')
      .on(sql`coalesce(${table.ownerId}, '')`, table.name)
      .where(sql`${table.deletingSince} is null`),
    ...environmentPolicies(table.id),
  ],
);

/** The deletions of environments that have not ended. Each row is deleted with its environment. */
export const environmentDeletions = pgTable(
  'environment_deletions',
  {
    environmentId: environmentId()
      .primaryKey()
      .references(() => environments.id),
    /** The id that the caller gets for reference. */
    id: generatedId(),
    /** The number of images and detections when the deletion was requested. */
    total: bigint('total', { mode: 'number' }).notNull(),
    /** The number of images and detections that are deleted. */
    done: bigint('done', { mode: 'number' }).notNull().default(0),
    /** When the last rows were deleted; null if none were. */
    lastStepAt: instant('last_step_at'),
  },
  () => platformPolicies(),
);

/** API keys. Scoped transactions may not read them. */
export const keys = pgTable(
  'keys',
  {
    id: generatedId().primaryKey(),
    environmentId: environmentId().references(() => environments.id),
    label: text('label').notNull(),
    right: text('right', { enum: ['full', 'review', 'read'] }).notNull(),
    /** Whether an administrator made the key. If an account has it, the account must still be an administrator. */
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
