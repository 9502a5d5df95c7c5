import type { CalibrationKnots, FaceAttribute } from '@sightline/core/models/model';
import { bigint, boolean, check, integer, jsonb, pgTable, sql, text, unique } from '../drizzle.ts';
import { digest, generatedId, instant, rowId } from './columns.ts';

/** The models of the installation; they belong to no environment. */
export const models = pgTable(
  'models',
  {
    id: generatedId().primaryKey(),
    name: text('name').notNull(),
    /** Of the components and their preprocessing: other bytes are another model. */
    digest: digest('digest').notNull(),
    task: text('task', { enum: ['face', 'object', 'open_vocabulary'] }).notNull(),
    version: text('version').notNull(),
    license: text('license').notNull(),
    commercialUse: boolean('commercial_use').notNull(),
    provides: text('provides').array().$type<FaceAttribute[]>().notNull(),
    /** Null for models that make no embeddings. */
    embeddingDim: integer('embedding_dim'),
    classes: text('classes').array().notNull(),
    similarityCalibration: jsonb('similarity_calibration').$type<CalibrationKnots>(),
    sourceUrl: text('source_url'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    status: text('status', {
      enum: ['available', 'downloading', 'downloaded', 'failed'],
    }).notNull(),
    error: text('error'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('models_digest').on(table.name, table.digest),
    check('models_task', sql`${table.task} in ('face', 'object', 'open_vocabulary')`),
    check(
      'models_status',
      sql`${table.status} in ('available', 'downloading', 'downloaded', 'failed')`,
    ),
  ],
);

/** The active model of each task. */
export const activeModels = pgTable('active_models', {
  task: text('task', { enum: ['face', 'object', 'open_vocabulary'] }).primaryKey(),
  modelId: rowId('model_id')
    .notNull()
    .references(() => models.id),
  activatedAt: instant('activated_at').notNull().defaultNow(),
});
