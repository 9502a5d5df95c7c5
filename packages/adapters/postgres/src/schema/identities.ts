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

/** Named people and object classes. */
export const identities = pgTable(
  'identities',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    type: text('type', { enum: ['face', 'object'] }).notNull(),
    label: textByBytes('label').notNull(),
    /** The label in the form in which it is searched: see the SQL function `folded_name`. */
    foldedLabel: textByBytes('folded_label')
      .notNull()
      .generatedAlwaysAs(sql`folded_name(label)`),
    externalRef: text('external_ref'),
    /** A detection of this identity. Drizzle cannot express its foreign key, so only the baseline has it. */
    coverDetectionId: rowId('cover_detection_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When its deletion or merge in steps began; from then on no reader finds it. */
    deletingSince: instant('deleting_since'),
    /**
     * The identity with which it is being merged: its rows move there, and readers already see them there.
     * Null in a deletion: its detections are deleted with it, and no reader sees them.
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
    // The next two end in the folded label, so that a search in their order is an index-only scan.
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
    // The index includes the environment, so that names of other environments do not slow a search down. It has
    // no list of pending entries, because every search would read all of it.
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
 * Maps the identity id in rows of other tables to the identity that readers see: for an identity that is being
 * merged, the target; for one that is being deleted, no row. A target is never itself deleted or merged, so one
 * lookup finds it. The inner query reads the label of a target.
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
