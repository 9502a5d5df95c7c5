import { OPERATION_KINDS } from '@sightline/core/store/current-operation';
import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
} from '../drizzle.ts';
import { environmentId, generatedId, instant, rowId } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** The requests that changed what people decided. The triggers of the migration write these four tables. */
export const operations = pgTable(
  'operations',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    kind: text('kind', { enum: OPERATION_KINDS }).notNull(),
    /** The account that was signed in; null for a key and for the service. */
    userId: text('user_id'),
    keyId: rowId('key_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** The number of changed detections, identities and images. */
    count: integer('count').notNull().default(0),
    /** When the values of the items are deleted. */
    expiresAt: instant('expires_at').notNull(),
    /** When the values of the items were deleted; null if they are there. */
    clearedAt: instant('cleared_at'),
    /** The operation that this one takes back. */
    undoes: rowId('undoes'),
    /** The operation that takes this one back. */
    undoneBy: rowId('undone_by'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index('operations_created').on(table.createdAt),
    index('operations_expiry')
      .on(table.expiresAt)
      .where(sql`${table.clearedAt} is null`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The rows that an operation changed, with their values before it and after it. */
export const operationItems = pgTable(
  'operation_items',
  {
    environmentId: environmentId(),
    operationId: rowId('operation_id').notNull(),
    subject: text('subject', { enum: ['detection', 'identity', 'image'] }).notNull(),
    subjectId: rowId('subject_id').notNull(),
    part: text('part', { enum: ['row', 'reference', 'rejection', 'vector', 'mark'] }).notNull(),
    /** The id of the reference, of the identity of a rejection, or of the model; 0 for the row of the subject. */
    partId: rowId('part_id').notNull(),
    /** Null if the operation inserted the row. */
    before: jsonb('before').$type<Readonly<Record<string, unknown>>>(),
    /** Null if the operation deleted the row. */
    after: jsonb('after').$type<Readonly<Record<string, unknown>>>(),
    /** The operation that has taken this item back. */
    revertedBy: rowId('reverted_by'),
  },
  (table) => [
    primaryKey({
      name: 'operation_items_pk',
      columns: [
        table.environmentId,
        table.operationId,
        table.subject,
        table.subjectId,
        table.part,
        table.partId,
      ],
    }),
    foreignKey({
      name: 'operation_items_operation',
      columns: [table.environmentId, table.operationId],
      foreignColumns: [operations.environmentId, operations.id],
    }).onDelete('cascade'),
    // The migration defines the functions of the next two indexes.
    index('operation_items_of_image')
      .on(table.environmentId, sql`source_image_of(before)`)
      .where(
        sql`${table.subject} = 'detection' and ${table.part} = 'row' and ${table.after} is null`,
      ),
    index('operation_items_of_identity')
      .on(table.environmentId, sql`identity_of(before)`)
      .where(
        sql`${table.subject} = 'detection' and ${table.part} = 'row' and ${table.after} is null`,
      ),
    index('operation_items_subject').on(
      table.environmentId,
      table.subject,
      table.subjectId,
      table.operationId,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The identities that an operation concerned, also those that only lost or got detections. */
export const operationIdentities = pgTable(
  'operation_identities',
  {
    environmentId: environmentId(),
    identityId: rowId('identity_id').notNull(),
    operationId: rowId('operation_id').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'operation_identities_pk',
      columns: [table.environmentId, table.identityId, table.operationId],
    }),
    foreignKey({
      name: 'operation_identities_operation',
      columns: [table.environmentId, table.operationId],
      foreignColumns: [operations.environmentId, operations.id],
    }).onDelete('cascade'),
    index('operation_identities_of_operation').on(table.environmentId, table.operationId),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The files of deleted rows, which stay as long as an operation can bring the rows back. */
export const setAsideFiles = pgTable(
  'set_aside_files',
  {
    environmentId: environmentId(),
    mediaKey: text('media_key').primaryKey(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    operationId: rowId('operation_id').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'set_aside_files_operation',
      columns: [table.environmentId, table.operationId],
      foreignColumns: [operations.environmentId, operations.id],
    }),
    index('set_aside_files_of_operation').on(table.environmentId, table.operationId),
    ...environmentPolicies(table.environmentId),
  ],
);
