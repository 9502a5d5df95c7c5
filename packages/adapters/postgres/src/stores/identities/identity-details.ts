import type { Identity, IdentityDetails } from '@sightline/core/identities/identity';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { rowIdArrayOf } from './seen-identity.ts';
import { thumbnailOf, type ThumbnailRow, toThumbnail } from './thumbnail.ts';

interface DetailsRow extends ThumbnailRow {
  readonly detectionCount: number;
  readonly pendingReviewCount: number;
  readonly embeddingCount: number;
}

/**
 * Parameters: identities, their covers or nulls, and the model or null. Each lookup covers the rows of the identity and
 * of identities that are being merged into it.
 */
const DETAILS = `
  SELECT counts.*, thumbnail.*
  FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS requested (id, cover_id, place)
  CROSS JOIN LATERAL (
    SELECT ${rowIdArrayOf('requested.id')} AS ids
  ) AS rows
  CROSS JOIN LATERAL (
    SELECT
      coalesce(sum(delta) FILTER (WHERE counter = 'identity.detections'), 0)::bigint
        AS "detectionCount",
      coalesce(sum(delta) FILTER (WHERE counter = 'identity.pending_review'), 0)::bigint
        AS "pendingReviewCount",
      coalesce(sum(delta) FILTER (WHERE counter = 'identity.embeddings' AND model_id = $3), 0)::bigint
        AS "embeddingCount"
    FROM counter_deltas
    WHERE subject_id = any(rows.ids)
      AND counter IN ('identity.detections', 'identity.pending_review', 'identity.embeddings')
  ) AS counts
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
