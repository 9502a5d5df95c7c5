import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
} from '../drizzle.ts';
import { environmentId, generatedId, instant, rowId } from './columns.ts';
import { identities } from './identities.ts';
import { environmentPolicies } from './policies.ts';
import { sourceImages } from './source-images.ts';

/** Whether a face waits for review. */
function awaitsReview(table: Record<'type' | 'reviewStatus' | 'dismissedAt', AnyPgColumn>) {
  return sql`${table.type} = 'face' and ${table.reviewStatus} = 'pending' and ${table.dismissedAt} is null`;
}

/** Faces and objects in source images. Boxes are in pixels of the upright original image. */
export const detections = pgTable(
  'detections',
  {
    environmentId: environmentId(),
    id: generatedId(),
    sourceImageId: rowId('source_image_id').notNull(),
    type: text('type', { enum: ['face', 'object'] }).notNull(),
    bboxX: doublePrecision('bbox_x').notNull(),
    bboxY: doublePrecision('bbox_y').notNull(),
    bboxW: doublePrecision('bbox_w').notNull(),
    bboxH: doublePrecision('bbox_h').notNull(),
    confidence: doublePrecision('confidence').notNull(),
    quality: doublePrecision('quality'),
    /** The x and y coordinates of five points, in pixels. */
    landmarks: doublePrecision('landmarks').array(),
    classId: integer('class_id'),
    className: text('class_name'),
    identityId: rowId('identity_id'),
    similarity: doublePrecision('similarity'),
    reviewStatus: text('review_status', { enum: ['pending', 'confirmed', 'rejected'] }).notNull(),
    decidedBy: text('decided_by', { enum: ['automatic', 'human'] }).notNull(),
    isManual: boolean('is_manual').notNull(),
    embeddingSource: text('embedding_source', { enum: ['aligned', 'box'] }),
    age: smallint('age'),
    gender: text('gender', { enum: ['M', 'F'] }),
    /** Pitch, yaw and roll in degrees. */
    pose: doublePrecision('pose').array(),
    /** The angle in degrees, clockwise, by which a face is turned in the image. */
    turned: smallint('turned').$type<QuarterTurn>().notNull().default(0),
    cropKey: text('crop_key').notNull(),
    cropBytes: integer('crop_bytes').notNull(),
    dismissedAt: instant('dismissed_at'),
    mismatchReviewed: boolean('mismatch_reviewed').notNull().default(false),
    detectedAt: instant('detected_at').notNull().defaultNow(),
    /** When a face last began to wait for review. A trigger sets it again when a face returns to the queue. */
    queuedAt: instant('queued_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    foreignKey({
      name: 'detections_source_image',
      columns: [table.environmentId, table.sourceImageId],
      foreignColumns: [sourceImages.environmentId, sourceImages.id],
    }),
    foreignKey({
      name: 'detections_identity',
      columns: [table.environmentId, table.identityId],
      foreignColumns: [identities.environmentId, identities.id],
    }),
    unique('detections_crop_key').on(table.cropKey),
    index('detections_of_source').on(table.environmentId, table.sourceImageId, table.id),
    index('detections_of_identity')
      .on(table.environmentId, table.identityId, table.detectedAt, table.id, table.sourceImageId)
      .where(sql`${table.identityId} is not null`),
    index('detections_of_class')
      .on(table.environmentId, table.className, table.sourceImageId)
      .where(sql`${table.className} is not null`),
    index('detections_of_status').on(table.environmentId, table.reviewStatus, table.sourceImageId),
    index('detections_review_queue')
      .on(table.environmentId, table.confidence, table.id)
      .where(awaitsReview(table)),
    index('detections_review_newest')
      .on(table.environmentId, table.detectedAt, table.id)
      .where(awaitsReview(table)),
    // The last columns allow index-only scans.
    index('detections_review_by_id')
      .on(table.environmentId, table.id, table.queuedAt, table.detectedAt)
      .where(awaitsReview(table)),
    index('detections_unknown')
      .on(table.environmentId, table.detectedAt, table.id)
      .where(sql`${table.type} = 'face' and ${table.identityId} is null`),
    check('detections_type', sql`${table.type} in ('face', 'object')`),
    check(
      'detections_review_status',
      sql`${table.reviewStatus} in ('pending', 'confirmed', 'rejected')`,
    ),
    check('detections_decided_by', sql`${table.decidedBy} in ('automatic', 'human')`),
    check('detections_embedding_source', sql`${table.embeddingSource} in ('aligned', 'box')`),
    check('detections_gender', sql`${table.gender} in ('M', 'F')`),
    check('detections_landmarks', sql`cardinality(${table.landmarks}) = 10`),
    check('detections_pose', sql`cardinality(${table.pose}) = 3`),
    check('detections_turned', sql`${table.turned} in (0, 90, 180, 270)`),
    check(
      'detections_rejected_unassigned',
      sql`${table.reviewStatus} <> 'rejected' or ${table.identityId} is null`,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);
