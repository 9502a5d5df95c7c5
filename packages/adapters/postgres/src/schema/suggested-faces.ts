import { doublePrecision, foreignKey, index, pgTable, primaryKey } from '../drizzle.ts';
import { environmentId, instant, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { environmentPolicies } from './policies.ts';

/**
 * Faces in the review queue that have a suggestion, by model. Triggers write the rows. Suggestions for an identity from
 * which the face was rejected are ignored. Suggestions for an identity that is being deleted count until their rows are
 * deleted.
 */
export const suggestedFaces = pgTable(
  'suggested_faces',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    /** The confidence and the time of the detection. The queue is sorted by one of them, or by the similarity. */
    confidence: doublePrecision('confidence').notNull(),
    detectedAt: instant('detected_at').notNull(),
    /** The similarity and the identity of the best suggestion. */
    similarity: doublePrecision('similarity').notNull(),
    identityId: rowId('identity_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.modelId] }),
    foreignKey({
      name: 'suggested_faces_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    index('suggested_faces_queue').on(
      table.environmentId,
      table.modelId,
      table.confidence,
      table.detectionId,
      table.similarity,
    ),
    index('suggested_faces_similar').on(
      table.environmentId,
      table.modelId,
      table.similarity,
      table.detectionId,
    ),
    index('suggested_faces_newest').on(
      table.environmentId,
      table.modelId,
      table.detectedAt,
      table.detectionId,
      table.similarity,
    ),
    // The last columns allow index-only scans in the other orders.
    index('suggested_faces_of_identity').on(
      table.environmentId,
      table.identityId,
      table.modelId,
      table.similarity,
      table.detectionId,
      table.confidence,
      table.detectedAt,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);
