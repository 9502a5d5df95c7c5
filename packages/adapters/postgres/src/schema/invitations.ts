import { check, foreignKey, index, pgTable, sql, text, unique } from '../drizzle.ts';
import { accounts } from './accounts.ts';
import { bytes, environmentId, generatedId, instant } from './columns.ts';
import { environments } from './environments.ts';
import { platformPolicies } from './policies.ts';

/** The open invitations to environments. */
export const invitations = pgTable(
  'invitations',
  {
    id: generatedId().primaryKey(),
    environmentId: environmentId(),
    email: text('email').notNull(),
    role: text('role', { enum: ['viewer', 'reviewer', 'editor', 'owner'] }).notNull(),
    /** The SHA-256 of the invitation's token. */
    hash: bytes('hash').notNull(),
    createdBy: text('created_by')
      .notNull()
      .references(() => accounts.id),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'invitations_environment',
      columns: [table.environmentId],
      foreignColumns: [environments.id],
    }),
    unique('invitations_hash').on(table.hash),
    unique('invitations_email').on(table.environmentId, table.email),
    index('invitations_author').on(table.createdBy),
    check('invitations_role', sql`${table.role} in ('viewer', 'reviewer', 'editor', 'owner')`),
    check('invitations_hash_length', sql`octet_length(${table.hash}) = 32`),
    ...platformPolicies(),
  ],
);
