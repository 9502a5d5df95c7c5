import { check, index, pgTable, primaryKey, sql, text, uniqueIndex } from '../drizzle.ts';
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
    externalRef: text('external_ref'),
    /** A detection of this identity; its foreign key is in a handwritten migration. */
    coverDetectionId: rowId('cover_detection_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Since when it is being removed, in steps: no reader sees it or its detections any more. */
    leavingSince: instant('leaving_since'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    uniqueIndex('identities_label')
      .on(table.environmentId, table.type, table.label)
      .where(sql`${table.leavingSince} is null`),
    index('identities_leaving')
      .on(table.environmentId, table.id)
      .where(sql`${table.leavingSince} is not null`),
    index('identities_list').on(table.environmentId, table.label, table.type, table.id),
    index('identities_external_ref').on(table.environmentId, table.externalRef),
    index('identities_cover')
      .on(table.environmentId, table.coverDetectionId)
      .where(sql`${table.coverDetectionId} is not null`),
    // This collation lowercases all languages, whatever the database's own collation is.
    index('identities_name').using(
      'gin',
      sql`lower(${table.label} collate "pg_unicode_fast") gin_trgm_ops`,
    ),
    check('identities_type', sql`${table.type} in ('face', 'object')`),
    ...environmentPolicies(table.environmentId),
  ],
);
