import type { CalibrationKnots, FaceAttribute } from '@sightline/core/models/model';
import type { ModelStatus } from '@sightline/core/models/model-life';
import type { PublishedFile } from '@sightline/core/models/model-source';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  unique,
  uniqueIndex,
} from '../drizzle.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';
import { digest, generatedId, instant, rowId } from './columns.ts';

export const models = pgTable(
  'models',
  {
    id: generatedId().primaryKey(),
    /**
     * The environment whose archives brought vectors of a model that this installation lacks; null for the models of the
     * installation. Such a row is what one archive claims, so other environments never use it.
     */
    environmentId: rowId('environment_id').references(() => environments.id),
    name: text('name').notNull(),
    /**
     * The digest of the files and preprocessing. Two models with different digests are different models, even if they
     * have the same name. Null for a catalog model that was never downloaded.
     */
    digest: digest('digest'),
    task: text('task', { enum: ['face', 'object', 'open_vocabulary'] }).notNull(),
    version: text('version').notNull(),
    license: text('license').notNull(),
    commercialUse: boolean('commercial_use'),
    commercialUseReason: text('commercial_use_reason'),
    provides: text('provides').array().$type<FaceAttribute[]>().notNull(),
    /** Null for models that compute no embeddings. */
    embeddingDim: integer('embedding_dim'),
    classes: text('classes').array().notNull(),
    similarityCalibration: jsonb('similarity_calibration').$type<CalibrationKnots>(),
    /** The published files of a catalog model; null if the model cannot be downloaded. */
    files: jsonb('files').$type<readonly PublishedFile[]>(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    status: text('status').$type<ModelStatus>().notNull(),
    error: text('error'),
    downloadJobId: rowId('download_job_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('models_digest').on(table.environmentId, table.name, table.digest).nullsNotDistinct(),
    check(
      'models_foreign',
      sql`${table.environmentId} is null or ${table.status} = 'available' and ${table.files} is null
        and ${table.digest} is not null and ${table.embeddingDim} is not null`,
    ),
    index('models_download_job')
      .on(table.downloadJobId)
      .where(sql`${table.downloadJobId} is not null`),
    check(
      'models_pinned',
      sql`${table.digest} is not null or ${table.status} in ('available', 'downloading', 'failed')`,
    ),
    check('models_task', sql`${table.task} in ('face', 'object', 'open_vocabulary')`),
    check(
      'models_status',
      sql`${table.status} in ('available', 'downloading', 'downloaded', 'loading', 'active', 'failed')`,
    ),
    uniqueIndex('models_active')
      .on(sql`(CASE WHEN ${table.task} = 'face' THEN 'face' ELSE 'object' END)`)
      .where(sql`${table.status} = 'active'`),
    ...environmentPolicies(table.environmentId, { orShared: true }),
  ],
);
