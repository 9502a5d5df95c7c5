import { jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { environmentId, instant, rowId } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** The account and the key that changed a setting last; null for the service, for commands, and before these columns. */
const changedBy = () => ({ changedBy: text('changed_by'), changedWith: rowId('changed_with') });

export const environmentSettings = pgTable(
  'environment_settings',
  {
    environmentId: environmentId().references(() => environments.id),
    key: text('key').notNull(),
    value: jsonb('value').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    ...changedBy(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.key] }),
    ...environmentPolicies(table.environmentId),
  ],
);

export const systemSettings = pgTable('system_settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  ...changedBy(),
});
