import { foreignKey, integer, pgTable, primaryKey, text, unique } from '../drizzle.ts';
import { environmentId, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { environmentPolicies } from './policies.ts';
import { sourceImages } from './source-images.ts';

/** Smaller JPEGs of crops, each with an object of its own. Triggers count their bytes. */
export const detectionRenditions = pgTable(
  'detection_renditions',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    /** The width that was asked for, in pixels. */
    width: integer('width').notNull(),
    mediaKey: text('media_key').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.width] }),
    foreignKey({
      name: 'detection_renditions_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    unique('detection_renditions_media_key').on(table.mediaKey),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Smaller JPEGs of source images. */
export const sourceRenditions = pgTable(
  'source_renditions',
  {
    environmentId: environmentId(),
    sourceImageId: rowId('source_image_id').notNull(),
    width: integer('width').notNull(),
    mediaKey: text('media_key').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.sourceImageId, table.width] }),
    foreignKey({
      name: 'source_renditions_source_image',
      columns: [table.environmentId, table.sourceImageId],
      foreignColumns: [sourceImages.environmentId, sourceImages.id],
    }).onDelete('cascade'),
    unique('source_renditions_media_key').on(table.mediaKey),
    ...environmentPolicies(table.environmentId),
  ],
);
