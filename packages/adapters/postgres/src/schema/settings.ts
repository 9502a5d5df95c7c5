import { jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { environmentId, instant } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

export const environmentSettings = pgTable(
  'environment_settings',
  {
    environmentId: environmentId().references(() => environments.id),
    key: text('key').notNull(),
    value: jsonb('value').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
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
});
