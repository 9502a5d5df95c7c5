import { doublePrecision, foreignKey, index, pgTable, primaryKey } from '../drizzle.ts';
import { environmentId, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { environmentPolicies } from './policies.ts';

/**
 * The faces of the review queue that have a stored suggestion, by model; written by triggers. A suggestion does
 * not count if the face was rejected from its identity. It counts while its identity is being deleted, until
 * its row is deleted.
 */
export const suggestedFaces = pgTable(
  'suggested_faces',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    /** The confidence of the detection, by which the queue is sorted. */
    confidence: doublePrecision('confidence').notNull(),
    /** The greatest similarity of its suggestions. */
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
