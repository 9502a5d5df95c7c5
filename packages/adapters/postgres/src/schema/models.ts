import type { CalibrationKnots, FaceAttribute } from '@sightline/core/models/model';
import type { ModelStatus } from '@sightline/core/models/model-life';
import {
  bigint,
  boolean,
  check,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  unique,
  uniqueIndex,
} from '../drizzle.ts';
import { digest, generatedId, instant } from './columns.ts';

/** The models of the installation. */
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
    /** Whether it is known to be allowed; the loaded model says the rest. */
    commercialUse: boolean('commercial_use').notNull(),
    provides: text('provides').array().$type<FaceAttribute[]>().notNull(),
    /** Null for models without embeddings. */
    embeddingDim: integer('embedding_dim'),
    classes: text('classes').array().notNull(),
    similarityCalibration: jsonb('similarity_calibration').$type<CalibrationKnots>(),
    sourceUrl: text('source_url'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    status: text('status').$type<ModelStatus>().notNull(),
    error: text('error'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('models_digest').on(table.name, table.digest),
    check('models_task', sql`${table.task} in ('face', 'object', 'open_vocabulary')`),
    check(
      'models_status',
      sql`${table.status} in ('available', 'downloading', 'downloaded', 'loading', 'active', 'failed')`,
    ),
    uniqueIndex('models_active')
      .on(sql`(CASE WHEN ${table.task} = 'face' THEN 'face' ELSE 'object' END)`)
      .where(sql`${table.status} = 'active'`),
  ],
);
