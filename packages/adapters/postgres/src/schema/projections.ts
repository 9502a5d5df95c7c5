import { bigint, boolean, check, index, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { environmentId, generatedId, rowId } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/**
 * Changes of vectors that a reader has not yet applied to its index. Triggers write a row for each registered
 * reader.
 */
export const vectorChanges = pgTable(
  'vector_changes',
  {
    environmentId: environmentId(),
    id: generatedId(),
    /** The registration that the change is for; changes for an ended one are deleted later. */
    readerId: rowId('reader_id').notNull(),
    modelId: rowId('model_id').notNull(),
    kind: text('kind', { enum: ['faces', 'references', 'means'] }).notNull(),
    /** The id of the detection, the reference or the identity, depending on the kind. */
    entityId: rowId('entity_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index('vector_changes_of_space').on(
      table.environmentId,
      table.readerId,
      table.modelId,
      table.kind,
      table.entityId,
    ),
    index('vector_changes_oldest').on(table.readerId, table.id),
    check('vector_changes_kind', sql`${table.kind} in ('faces', 'references', 'means')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * The changes of counters, written by triggers. Each change is a row, so that writers do not wait for each other.
 * A counter is the sum of its rows, which are periodically folded into one.
 */
export const counterDeltas = pgTable(
  'counter_deltas',
  {
    environmentId: environmentId(),
    id: generatedId(),
    counter: text('counter').notNull(),
    /** The identity that the counter belongs to; 0 for the environment. */
    subjectId: rowId('subject_id').notNull(),
    /** The model that the counter belongs to; 0 for none. */
    modelId: rowId('model_id').notNull(),
    delta: bigint('delta', { mode: 'number' }).notNull(),
    /** Whether the row is the sum of earlier rows; each counter has at most one such row. */
    isFolded: boolean('is_folded').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index('counter_deltas_of_counter').on(
      table.environmentId,
      table.counter,
      table.subjectId,
      table.modelId,
    ),
    index('counter_deltas_to_fold')
      .on(table.id)
      .where(sql`not ${table.isFolded}`),
    ...environmentPolicies(table.environmentId),
  ],
);
