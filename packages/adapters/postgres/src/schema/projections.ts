import { bigint, boolean, check, index, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { environmentId, generatedId, instant, rowId, textByBytes } from './columns.ts';
import { environmentPolicies } from './policies.ts';

/** Changes of vectors that a vector index has not applied yet. Triggers write one row per change and index reader. */
export const vectorChanges = pgTable(
  'vector_changes',
  {
    environmentId: environmentId(),
    id: generatedId(),
    /** The registration of the reader. Rows of an ended registration are deleted later. */
    readerId: rowId('reader_id').notNull(),
    modelId: rowId('model_id').notNull(),
    /** `losses`: identities that lost a reference, which only the follower of similarity reads. */
    kind: text('kind', { enum: ['faces', 'references', 'means', 'losses'] }).notNull(),
    /** The id of the detection, reference or identity, depending on `kind`. */
    entityId: rowId('entity_id').notNull(),
    notedAt: instant('noted_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index('vector_changes_of_space').on(
      table.readerId,
      table.environmentId,
      table.modelId,
      table.kind,
      table.entityId,
    ),
    index('vector_changes_oldest').on(table.readerId, table.id),
    check('vector_changes_kind', sql`${table.kind} in ('faces', 'references', 'means', 'losses')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * Changes of counters, written by triggers. Each change is a row of its own, so that writers do not wait for each
 * other. A counter's value is the sum of its rows, which are periodically replaced by one row.
 */
export const counterDeltas = pgTable(
  'counter_deltas',
  {
    environmentId: environmentId(),
    id: generatedId(),
    counter: text('counter').notNull(),
    /**
     * The identity or the class whose counter changes, or for `day.*` the number of the day (UTC) since 1970; 0 for a
     * counter of the environment.
     */
    subjectId: rowId('subject_id').notNull(),
    /** The model whose counter changes; 0 for counters without a model. */
    modelId: rowId('model_id').notNull(),
    delta: bigint('delta', { mode: 'number' }).notNull(),
    /** Whether the row replaces earlier rows by their sum. Each counter has at most one such row. */
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
    // The identities whose standings are behind their counters.
    index('counter_deltas_of_identities')
      .on(table.environmentId, table.subjectId)
      .where(
        sql`not ${table.isFolded} and ${table.counter} in ('identity.detections', 'identity.pending_review')`,
      ),
    index('counter_deltas_to_fold')
      .on(table.id)
      .where(sql`not ${table.isFolded}`),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * The classes of objects that were detected in an environment. Triggers insert them, and count the detections of each with
 * the counter `class.detections`, whose subject is the id. A class stays when its last detection is deleted.
 */
export const objectClasses = pgTable(
  'object_classes',
  {
    environmentId: environmentId(),
    id: generatedId(),
    name: textByBytes('name').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.name] }),
    ...environmentPolicies(table.environmentId),
  ],
);
