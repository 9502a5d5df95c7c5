import { doublePrecision, foreignKey, index, pgTable, primaryKey } from '../drizzle.ts';
import { environmentId, rowId } from './columns.ts';
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
    /** The confidence of the detection. The queue is sorted by it. */
    confidence: doublePrecision('confidence').notNull(),
    similarity: doublePrecision('similarity').notNull(),
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
    ...environmentPolicies(table.environmentId),
  ],
);
