import type { Thumbnail } from '@sightline/core/identities/identity';

export interface ThumbnailRow {
  readonly thumbnailId: number | null;
  readonly cropKey: string | null;
}

/**
 * Joins the detection that represents an identity: the cover, otherwise the newest confirmed detection. Each lookup
 * uses an index.
 *
 * @param cover an SQL expression for the id of the cover or null
 * @param rowIds an SQL array of the ids by which detections refer to the identity
 */
export function thumbnailOf(cover: string, rowIds: string): string {
  return `LEFT JOIN LATERAL (
    (SELECT id AS "thumbnailId", crop_key AS "cropKey" FROM detections WHERE id = ${cover})
    UNION ALL
    (SELECT newest.id, newest.crop_key
     FROM unnest(${rowIds}) AS row (id)
     CROSS JOIN LATERAL (
       SELECT d.id, d.crop_key, d.detected_at FROM detections d
       WHERE d.identity_id = row.id AND d.review_status = 'confirmed'
       ORDER BY d.detected_at DESC, d.id DESC LIMIT 1
     ) AS newest
     WHERE ${cover} IS NULL
     ORDER BY newest.detected_at DESC, newest.id DESC LIMIT 1)
  ) AS thumbnail ON true`;
}

export function toThumbnail({ thumbnailId, cropKey }: ThumbnailRow): Thumbnail | null {
  return thumbnailId === null || cropKey === null ? null : { detectionId: thumbnailId, cropKey };
}
