import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  sql,
  text,
  unique,
  uniqueIndex,
} from '../drizzle.ts';
import { digest, environmentId, generatedId, instant } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';
import { TRAITS_OF_COUNTS } from './source-traits.ts';

/** Images that detections were made in, once per environment and content. */
export const sourceImages = pgTable(
  'source_images',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    /** Of the uploaded bytes. */
    digest: digest('digest').notNull(),
    /** Of the uploaded bytes; they are stored if there is an original key. */
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    format: text('format', { enum: IMAGE_FORMATS }).notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    storedWidth: integer('stored_width').notNull(),
    storedHeight: integer('stored_height').notNull(),
    mediaKey: text('media_key').notNull(),
    mediaBytes: bigint('media_bytes', { mode: 'number' }).notNull(),
    originalKey: text('original_key'),
    externalRef: text('external_ref'),
    uploadedAt: instant('uploaded_at').notNull().defaultNow(),
    /**
     * What the image has, written by triggers on detections. Rows of an identity that is being deleted
     * count until their step: readers take them off.
     */
    faceCount: integer('face_count').notNull().default(0),
    objectCount: integer('object_count').notNull().default(0),
    /** Faces with an identity. */
    taggedFaceCount: integer('tagged_face_count').notNull().default(0),
    /** Detections that a person drew. */
    manualCount: integer('manual_count').notNull().default(0),
    /** Columns of their own: row-level security keeps expressions from using an index. */
    detectionCount: integer('detection_count')
      .notNull()
      .generatedAlwaysAs(sql`face_count + object_count`),
    traits: integer('traits').notNull().generatedAlwaysAs(TRAITS_OF_COUNTS),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    unique('source_images_digest').on(table.environmentId, table.digest),
    unique('source_images_media_key').on(table.mediaKey),
    uniqueIndex('source_images_original_key')
      .on(table.originalKey)
      .where(sql`${table.originalKey} is not null`),
    index('source_images_external_ref').on(
      table.environmentId,
      table.externalRef,
      table.uploadedAt,
      table.id,
    ),
    // The last column of each lets the index alone answer: see source-pages.ts.
    index('source_images_uploaded').on(
      table.environmentId,
      table.traits,
      table.uploadedAt,
      table.id,
      table.detectionCount,
    ),
    index('source_images_counted').on(
      table.environmentId,
      table.traits,
      table.detectionCount,
      table.id,
      table.uploadedAt,
    ),
    check('source_images_digest_length', sql`octet_length(${table.digest}) = 32`),
    ...environmentPolicies(table.environmentId),
  ],
);
