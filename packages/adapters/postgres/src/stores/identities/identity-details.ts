import type { Identity, IdentityDetails } from '@sightline/core/identities/identity';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { thumbnailOf, type ThumbnailRow, toThumbnail } from './thumbnail.ts';

interface DetailsRow extends ThumbnailRow {
  readonly detectionCount: number;
  readonly pendingReviewCount: number;
  readonly embeddingCount: number;
  readonly lastSeenAt: Date | null;
}

/**
 * SQL for the time of the newest detection, or null.
 *
 * @param rowIds an SQL array of the ids by which detections refer to the identity
 */
export function lastSeen(rowIds: string): string {
  return `(
    SELECT max(newest.detected_at) FROM unnest(${rowIds}) AS own (id)
    CROSS JOIN LATERAL (
      SELECT d.detected_at FROM detections d WHERE d.identity_id = own.id
      ORDER BY d.detected_at DESC, d.id DESC LIMIT 1
    ) AS newest)`;
}

/**
 * Parameters: identities, their covers or nulls, and the model or null. Each lookup covers the rows of the identity and
 * of identities that are being merged into it. The counters of all identities are read in one pass over the index,
 * because a whole list has a hundred thousand of them.
 */
const DETAILS = `
  WITH requested AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS r (id, cover_id, place)
  ), row_ids AS MATERIALIZED (
    SELECT id, id AS row_id FROM requested
    UNION ALL SELECT merged_into, id FROM identities WHERE merged_into = any($1::bigint[])
  ), counts AS (
    SELECT r.id,
      sum(delta) FILTER (WHERE counter = 'identity.detections') AS detections,
      sum(delta) FILTER (WHERE counter = 'identity.pending_review') AS pending_review,
      sum(delta) FILTER (WHERE counter = 'identity.embeddings' AND model_id = $3) AS embeddings
    FROM counter_deltas c JOIN row_ids r ON r.row_id = c.subject_id
    WHERE c.subject_id = any(array(SELECT row_id FROM row_ids))
      AND c.counter IN ('identity.detections', 'identity.pending_review', 'identity.embeddings')
    GROUP BY r.id
  ), rows AS (
    SELECT id, array_agg(row_id) AS ids FROM row_ids GROUP BY id
  )
  SELECT coalesce(counts.detections, 0)::bigint AS "detectionCount",
    coalesce(counts.pending_review, 0)::bigint AS "pendingReviewCount",
    coalesce(counts.embeddings, 0)::bigint AS "embeddingCount", ${lastSeen('rows.ids')} AS "lastSeenAt", thumbnail.*
  FROM requested
  JOIN rows ON rows.id = requested.id
  LEFT JOIN counts ON counts.id = requested.id
  ${thumbnailOf('requested.cover_id', 'rows.ids')}
  ORDER BY requested.place`;

/**
 * Adds counts and thumbnails to identities, in the given order.
 *
 * @param modelId the model whose references are counted; null counts none
 */
export async function readIdentityDetails(
  session: TransactionSession,
  identities: readonly Identity[],
  modelId: number | null,
): Promise<readonly IdentityDetails[]> {
  if (identities.length === 0) return [];
  const rows = await session.query<DetailsRow>(DETAILS, [
    identities.map(({ id }) => id),
    identities.map(({ coverDetectionId }) => coverDetectionId),
    modelId,
  ]);
  return rows.map(({ thumbnailId, cropKey, ...counts }, i) => ({
    ...identities[i]!,
    ...counts,
    thumbnail: toThumbnail({ thumbnailId, cropKey }),
  }));
}
