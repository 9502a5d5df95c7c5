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
  unique,
} from '../drizzle.ts';
import { bytes, environmentId, generatedId, instant, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { identities } from './identities.ts';
import { models } from './models.ts';
import { environmentPolicies } from './policies.ts';

/** The embedding of a face by a model: float32, little-endian, L2-normalized. */
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
    ...environmentPolicies(table.environmentId),
  ],
);

/** References: face vectors that are enrolled under an identity. */
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

/** The mean of the references of an identity, updated in the same transaction as the references. */
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
     * The sum of the references: float64, little-endian, so that rounding errors of additions and removals do not
     * accumulate.
     */
    sum: bytes('sum').notNull(),
    /** The mean: float32, little-endian, L2-normalized; null if the references cancel each other out. */
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

/** Pairs of a detection and an identity that are never matched or suggested again. */
export const rejectedPairs = pgTable(
  'rejected_pairs',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    identityId: rowId('identity_id').notNull(),
    rejectedAt: instant('rejected_at').notNull().defaultNow(),
    /** Orders the rejections of a detection. */
    sequence: rowId('sequence').notNull().generatedAlwaysAsIdentity(),
    /** Whether the pair belongs to the detection's most recent rejection, which a restore undoes. */
    isLatest: boolean('is_latest').notNull().default(false),
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
    // This index has all columns of the key, so that a pair is found as fast by whichever index the planner
    // chooses.
    index('rejected_pairs_of_identity').on(
      table.environmentId,
      table.identityId,
      table.detectionId,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Candidate identities of a face, precomputed for readers. */
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
