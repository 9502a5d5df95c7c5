import { bigint, boolean, check, index, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { environmentId, generatedId, rowId } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/**
 * Vectors that were added, reassigned or removed and that a reader has not applied to its index yet;
 * written by triggers, for each registered reader.
 */
export const vectorChanges = pgTable(
  'vector_changes',
  {
    environmentId: environmentId(),
    id: generatedId(),
    /** Of a registration; changes of one that has ended are deleted later. */
    readerId: rowId('reader_id').notNull(),
    modelId: rowId('model_id').notNull(),
    kind: text('kind', { enum: ['faces', 'references', 'means'] }).notNull(),
    /** Of the detection, the reference or the identity, by kind. */
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
 * Changes of counters, written by triggers, as rows of their own, so that writers do not wait for each
 * other. A counter is the sum of its rows, which are periodically folded into one.
 */
export const counterDeltas = pgTable(
  'counter_deltas',
  {
    environmentId: environmentId(),
    id: generatedId(),
    counter: text('counter').notNull(),
    /** Of the identity that is counted for; 0 for the environment. */
    subjectId: rowId('subject_id').notNull(),
    /** 0 where the counter is not one of a model. */
    modelId: rowId('model_id').notNull(),
    delta: bigint('delta', { mode: 'number' }).notNull(),
    /** The sum of earlier rows; at most one of each counter. */
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
