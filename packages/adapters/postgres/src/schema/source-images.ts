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
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    unique('source_images_digest').on(table.environmentId, table.digest),
    unique('source_images_media_key').on(table.mediaKey),
    uniqueIndex('source_images_original_key')
      .on(table.originalKey)
      .where(sql`${table.originalKey} is not null`),
    index('source_images_external_ref').on(table.environmentId, table.externalRef),
    index('source_images_uploaded').on(table.environmentId, table.uploadedAt, table.id),
    check('source_images_digest_length', sql`octet_length(${table.digest}) = 32`),
    ...environmentPolicies(table.environmentId),
  ],
);
