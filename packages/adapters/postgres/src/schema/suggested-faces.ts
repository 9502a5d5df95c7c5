import { doublePrecision, foreignKey, index, pgTable, primaryKey } from '../drizzle.ts';
import { environmentId, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { environmentPolicies } from './policies.ts';

/**
 * Faces of the review queue with a stored suggestion, by model; written by triggers. Suggestions of
 * identities that the face was rejected from do not count; those of identities that leave do, until
 * their rows go.
 */
export const suggestedFaces = pgTable(
  'suggested_faces',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    /** Of the detection: the order of the queue. */
    confidence: doublePrecision('confidence').notNull(),
    /** The greatest of its suggestions. */
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
