import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import {
  bigint,
  boolean,
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
import { digest, environmentId, generatedId, instant, instantOrNever } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';
import { TRAITS_OF_COUNTS } from './source-traits.ts';

/**
 * The images in which faces and objects were detected. Images with the same bytes share one row within an
 * environment.
 */
export const sourceImages = pgTable(
  'source_images',
  {
    environmentId: environmentId().references(() => environments.id),
    id: generatedId(),
    /** The SHA-256 digest of the uploaded bytes. */
    digest: digest('digest').notNull(),
    /** The number of uploaded bytes. The bytes are stored only if the row has an original key. */
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
    /** When the photo was taken, as its EXIF data says. */
    takenAt: instantOrNever('taken_at')
      .notNull()
      .default(sql`'-infinity'`),
    /** Whether an identity has several detections in the image, written by triggers. */
    hasRepeats: boolean('has_repeats').notNull().default(false),
    /**
     * The numbers of detections in the image, written by triggers. While an identity is being deleted, its detections
     * still count until they are deleted. Readers subtract them.
     */
    faceCount: integer('face_count').notNull().default(0),
    objectCount: integer('object_count').notNull().default(0),
    /** The number of faces that have an identity. */
    taggedFaceCount: integer('tagged_face_count').notNull().default(0),
    /** The number of detections whose boxes a person drew. */
    manualCount: integer('manual_count').notNull().default(0),
    /**
     * The next two values are columns instead of expressions, because row-level security keeps expressions from using
     * an index.
     */
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
    // The last columns of the next three indexes allow index-only scans (see source-pages.ts).
    index('source_images_uploaded').on(
      table.environmentId,
      table.traits,
      table.uploadedAt,
      table.id,
      table.detectionCount,
      table.takenAt,
    ),
    index('source_images_counted').on(
      table.environmentId,
      table.traits,
      table.detectionCount,
      table.id,
      table.uploadedAt,
      table.takenAt,
    ),
    index('source_images_taken').on(
      table.environmentId,
      table.traits,
      table.takenAt,
      table.id,
      table.uploadedAt,
      table.detectionCount,
    ),
    // Few images have repeats, so each order of theirs has a small index.
    index('source_images_repeats_uploaded')
      .on(table.environmentId, table.uploadedAt, table.id)
      .where(sql`${table.hasRepeats}`),
    index('source_images_repeats_counted')
      .on(table.environmentId, table.detectionCount, table.id)
      .where(sql`${table.hasRepeats}`),
    index('source_images_repeats_taken')
      .on(table.environmentId, table.takenAt, table.id)
      .where(sql`${table.hasRepeats}`),
    check('source_images_digest_length', sql`octet_length(${table.digest}) = 32`),
    ...environmentPolicies(table.environmentId),
  ],
);
