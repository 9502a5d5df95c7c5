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
    /** Since when it is being removed, in steps: no reader sees it any more. */
    leavingSince: instant('leaving_since'),
    /**
     * Of one that leaves: the identity to which its rows move; readers already see them there. Null: its
     * detections are deleted with it, and no reader sees them any more.
     */
    mergedInto: rowId('merged_into'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    uniqueIndex('identities_label')
      .on(table.environmentId, table.type, table.label)
      .where(sql`${table.leavingSince} is null`),
    index('identities_leaving')
      .on(table.environmentId, table.id)
      .where(sql`${table.leavingSince} is not null`),
    index('identities_merging')
      .on(table.environmentId, table.mergedInto)
      .where(sql`${table.mergedInto} is not null`),
    // These two end in the folded label, so that a search in their order reads the index alone.
    index('identities_list')
      .on(table.environmentId, table.label, table.type, table.id, table.foldedLabel)
      .where(sql`${table.leavingSince} is null`),
    index('identities_by_length')
      .on(
        table.environmentId,
        sql`char_length(${table.foldedLabel})`,
        table.label,
        table.type,
        table.id,
        table.foldedLabel,
      )
      .where(sql`${table.leavingSince} is null`),
    index('identities_external_ref').on(table.environmentId, table.externalRef),
    index('identities_cover')
      .on(table.environmentId, table.coverDetectionId)
      .where(sql`${table.coverDetectionId} is not null`),
    // With the environment, so that the names of others cost a search nothing. Without a list of pending
    // entries, which every search would read as a whole.
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
      'identities_merging_leaves',
      sql`${table.mergedInto} is null or ${table.leavingSince} is not null`,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * The identities as rows of other tables refer to them, by the id in those rows: for an identity that
 * merges, the one that it merges into; none for an identity that is deleted. What an identity merges
 * into does not leave, so a row is found with one look, and the second one is for the label of a merge.
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
    where i.leaving_since is null or i.merged_into is not null`);
