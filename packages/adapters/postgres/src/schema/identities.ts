import {
  check,
  foreignKey,
  index,
  pgTable,
  pgView,
  primaryKey,
  sql,
  text,
  uniqueIndex,
} from '../drizzle.ts';
import { environmentId, generatedId, instant, rowId, textByBytes } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

export const identities = pgTable(
  'identities',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    type: text('type', { enum: ['face', 'object'] }).notNull(),
    label: textByBytes('label').notNull(),
    /** The label in the form that searches compare, from the SQL function `folded_name`. */
    foldedLabel: textByBytes('folded_label')
      .notNull()
      .generatedAlwaysAs(sql`folded_name(label)`),
    externalRef: text('external_ref'),
    /**
     * The detection by which the identity is shown. Drizzle cannot express its foreign key, so only the migration has
     * it.
     */
    coverDetectionId: rowId('cover_detection_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When the deletion or merge of the identity began. From that time on readers do not find the identity. */
    deletingSince: instant('deleting_since'),
    /** When the last step of the deletion or merge began, if there was one after the first. */
    lastStepAt: instant('last_step_at'),
    /**
     * The target, if the identity is being merged; readers already see the identity's rows as rows of the target. Null
     * if the identity is being deleted; readers do not see its detections.
     */
    mergedInto: rowId('merged_into'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    uniqueIndex('identities_label')
      .on(table.environmentId, table.type, table.label)
      .where(sql`${table.deletingSince} is null`),
    index('identities_deleting')
      .on(table.environmentId, table.id)
      .where(sql`${table.deletingSince} is not null`),
    index('identities_merging')
      .on(table.environmentId, table.mergedInto)
      .where(sql`${table.mergedInto} is not null`),
    // The next two indexes end with the folded label, so that a search in their order is an index-only scan.
    index('identities_list')
      .on(table.environmentId, table.label, table.type, table.id, table.foldedLabel)
      .where(sql`${table.deletingSince} is null`),
    index('identities_by_length')
      .on(
        table.environmentId,
        sql`char_length(${table.foldedLabel})`,
        table.label,
        table.type,
        table.id,
        table.foldedLabel,
      )
      .where(sql`${table.deletingSince} is null`),
    index('identities_external_ref').on(table.environmentId, table.externalRef),
    index('identities_cover')
      .on(table.environmentId, table.coverDetectionId)
      .where(sql`${table.coverDetectionId} is not null`),
    // The environment is part of the index, so that names of other environments do not slow a search down. `fastupdate`
    // is off, because every search would have to read the whole list of pending entries.
    index('identities_name')
      .using(
        'gin',
        table.environmentId,
        sql`${table.foldedLabel} gin_trgm_ops`,
        sql`name_pairs(${table.foldedLabel})`,
      )
      .with({ fastupdate: false }),
    check('identities_type', sql`${table.type} in ('face', 'object')`),
    foreignKey({
      name: 'identities_merged_into',
      columns: [table.environmentId, table.mergedInto],
      foreignColumns: [table.environmentId, table.id],
    }),
    check(
      'identities_merging_is_deleting',
      sql`${table.mergedInto} is null or ${table.deletingSince} is not null`,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * Maps the identity id in rows of other tables to the identity that readers see. An identity that is being merged maps
 * to its target. An identity that is being deleted has no row. One lookup suffices, because a target is never itself
 * being merged or deleted. The inner query reads the target's label.
 */
export const assignedIdentities = pgView('assigned_identities', {
  environmentId: environmentId(),
  rowId: rowId('row_id').notNull(),
  id: rowId('id').notNull(),
  type: text('type', { enum: ['face', 'object'] }).notNull(),
  label: textByBytes('label').notNull(),
}).with({ securityInvoker: true }).as(sql`
    select i.environment_id, i.id as row_id,
      case when i.merged_into is null then i.id else i.merged_into end as id, i.type,
      case when i.merged_into is null then i.label else (
        select t.label from identities t
        where t.environment_id = i.environment_id and t.id = i.merged_into) end as label
    from identities i
    where i.deleting_since is null or i.merged_into is not null`);
