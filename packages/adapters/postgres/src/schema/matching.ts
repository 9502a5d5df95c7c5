import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  sql,
  text,
  unique,
} from '../drizzle.ts';
import { bytes, environmentId, generatedId, instant, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { identities } from './identities.ts';
import { models } from './models.ts';
import { environmentPolicies } from './policies.ts';

/** The embedding of a face by a model, as little-endian float32 values with an L2 norm of 1. */
export const faceVectors = pgTable(
  'face_vectors',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id')
      .notNull()
      .references(() => models.id),
    vector: bytes('vector').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.modelId] }),
    foreignKey({
      name: 'face_vectors_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    // With all columns of the primary key, no plan that uses this index reads more rows than one that uses the key.
    index('face_vectors_of_model').on(table.modelId, table.environmentId, table.detectionId),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Faces of which a model cannot make an embedding. They never lack one, so no job tries again. */
export const unembeddableFaces = pgTable(
  'unembeddable_faces',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    reason: text('reason', { enum: ['implausible_landmarks'] }).notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.modelId] }),
    foreignKey({
      name: 'unembeddable_faces_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'unembeddable_faces_model',
      columns: [table.modelId],
      foreignColumns: [models.id],
    }).onDelete('cascade'),
    // Without it, the deletion of a model would read the whole table.
    index('unembeddable_faces_of_model').on(table.modelId),
    check('unembeddable_faces_reason', sql`${table.reason} in ('implausible_landmarks')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The references: embeddings that are enrolled under an identity. */
export const faceReferences = pgTable(
  'face_references',
  {
    environmentId: environmentId(),
    id: generatedId(),
    identityId: rowId('identity_id').notNull(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    unique('face_references_vector').on(table.environmentId, table.detectionId, table.modelId),
    foreignKey({
      name: 'face_references_vector_fk',
      columns: [table.environmentId, table.detectionId, table.modelId],
      foreignColumns: [faceVectors.environmentId, faceVectors.detectionId, faceVectors.modelId],
    }),
    foreignKey({
      name: 'face_references_identity',
      columns: [table.environmentId, table.identityId],
      foreignColumns: [identities.environmentId, identities.id],
    }),
    index('face_references_of_identity').on(table.environmentId, table.identityId, table.id),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * The mean embedding of each identity's references, one row per identity and model. A transaction that changes
 * references also updates the mean.
 */
export const identityMeans = pgTable(
  'identity_means',
  {
    environmentId: environmentId(),
    identityId: rowId('identity_id').notNull(),
    modelId: rowId('model_id')
      .notNull()
      .references(() => models.id),
    referenceCount: integer('reference_count').notNull(),
    /**
     * The sum of the references, as little-endian float64 values. The higher precision keeps rounding errors of
     * additions and removals from accumulating.
     */
    sum: bytes('sum').notNull(),
    /** The mean as little-endian float32 values with an L2 norm of 1; null if the references cancel each other out. */
    mean: bytes('mean'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.identityId, table.modelId] }),
    foreignKey({
      name: 'identity_means_identity',
      columns: [table.environmentId, table.identityId],
      foreignColumns: [identities.environmentId, identities.id],
    }),
    check('identity_means_count', sql`${table.referenceCount} > 0`),
    ...environmentPolicies(table.environmentId),
  ],
);

export const rejectedPairs = pgTable(
  'rejected_pairs',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    identityId: rowId('identity_id').notNull(),
    rejectedAt: instant('rejected_at').notNull().defaultNow(),
    sequence: rowId('sequence').notNull().generatedAlwaysAsIdentity(),
    /** Whether the pair belongs to the detection's last rejection, which a restore undoes. */
    isLatest: boolean('is_latest').notNull().default(false),
    /** When the face was detected. A trigger copies it from the detection. */
    detectedAt: instant('detected_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.identityId] }),
    foreignKey({
      name: 'rejected_pairs_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'rejected_pairs_identity',
      columns: [table.environmentId, table.identityId],
      foreignColumns: [identities.environmentId, identities.id],
    }).onDelete('cascade'),
    // The index contains all columns of the key, so that a lookup is fast with whichever index the planner chooses.
    index('rejected_pairs_of_identity').on(
      table.environmentId,
      table.identityId,
      table.detectionId,
    ),
    index('rejected_pairs_by_time').on(
      table.environmentId,
      table.identityId,
      table.detectedAt,
      table.detectionId,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Identities that a face may show, computed in advance for the review queue. */
export const suggestions = pgTable(
  'suggestions',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    identityId: rowId('identity_id').notNull(),
    similarity: doublePrecision('similarity').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.environmentId, table.detectionId, table.modelId, table.identityId],
    }),
    foreignKey({
      name: 'suggestions_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'suggestions_identity',
      columns: [table.environmentId, table.identityId],
      foreignColumns: [identities.environmentId, identities.id],
    }).onDelete('cascade'),
    index('suggestions_of_identity').on(
      table.environmentId,
      table.identityId,
      table.detectionId,
      table.modelId,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);
