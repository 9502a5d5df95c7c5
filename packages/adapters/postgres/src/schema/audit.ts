import { index, jsonb, pgTable, sql, text } from '../drizzle.ts';
import { generatedId, instant, rowId } from './columns.ts';
import { auditPolicies } from './policies.ts';

/**
 * The record of what was done to people's data. The service may only add entries; `prune_audit` deletes old ones. An entry stays when
 * its environment, account or key is deleted, so there are no foreign keys.
 */
export const audit = pgTable(
  'audit',
  {
    id: generatedId().primaryKey(),
    at: instant('at').notNull().defaultNow(),
    /** Null for actions on the installation. */
    environmentId: rowId('environment_id'),
    userId: text('user_id'),
    keyId: rowId('key_id'),
    requestId: text('request_id'),
    entityType: text('entity_type').notNull(),
    action: text('action').notNull(),
    /** Ids as text, because those of accounts are UUIDs. */
    entityIds: text('entity_ids').array().notNull(),
    details: jsonb('details').$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [
    index('audit_environment').on(table.environmentId, table.at, table.id),
    index('audit_user').on(table.environmentId, table.userId, table.at, table.id),
    index('audit_key')
      .on(table.environmentId, table.keyId, table.at, table.id)
      .where(sql`${table.keyId} is not null`),
    index('audit_entity').on(table.environmentId, table.entityType, table.at, table.id),
    index('audit_action').on(table.environmentId, table.action, table.at, table.id),
    index('audit_installation')
      .on(table.at, table.id)
      .where(sql`${table.environmentId} is null`),
    index('audit_at').on(table.at),
    index('audit_entities').using('gin', sql`${table.entityIds}`),
    ...auditPolicies(table.environmentId),
  ],
);
