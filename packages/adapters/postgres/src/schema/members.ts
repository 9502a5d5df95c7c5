import { check, foreignKey, index, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { accounts } from './accounts.ts';
import { environmentId, instant } from './columns.ts';
import { environments } from './environments.ts';
import { platformPolicies } from './policies.ts';

/** The accounts that may use an environment. */
export const members = pgTable(
  'members',
  {
    environmentId: environmentId(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    role: text('role', { enum: ['viewer', 'reviewer', 'editor', 'owner'] }).notNull(),
    since: instant('since').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.accountId] }),
    foreignKey({
      name: 'members_environment',
      columns: [table.environmentId],
      foreignColumns: [environments.id],
    }),
    index('members_account').on(table.accountId, table.since),
    check('members_role', sql`${table.role} in ('viewer', 'reviewer', 'editor', 'owner')`),
    ...platformPolicies(),
  ],
);
