import type { Rejection } from '@sightline/core/detections/detection';
import type {
  DecidedDetection,
  FaceRecord,
  FaceRecordReader,
} from '@sightline/core/references/face-record';
import type { ReferenceLink } from '@sightline/core/references/reference';
import { rowsOf } from '../database/rows-of.ts';
import { seenId, stays } from '../identities/seen-identity.ts';
import type { ReadContext } from '../database/store-context.ts';

interface FaceRow extends DecidedDetection {
  readonly digest: string;
  readonly externalRef: string | null;
  readonly references: readonly Omit<ReferenceLink, 'detectionId'>[] | null;
  readonly rejections: readonly Omit<Rejection, 'detectionId'>[] | null;
  readonly embeddedFor: readonly number[] | null;
}

/**
 * Joins the identity that a row refers to, with the rules of the view `assigned_identities`. `seen` is null if the row
 * has no identity, or if the identity is being deleted.
 */
const identityOf = (row: string) => `LATERAL (
    SELECT ${seenId('o')} AS seen FROM identities o
    WHERE o.environment_id = ${row}.environment_id AND o.id = ${row}.identity_id AND ${stays('o')}
    LIMIT 1) AS i ON true`;

/**
 * Parameter: the ids of faces. Every decision on a face runs this statement, so it is a single statement with a kept
 * plan. Each LIMIT makes the planner look up one row by its key, because the kept plan must suit environments of any
 * size. The references of a face belong to the identity of the face.
 */
const RECORDS = `
  SELECT d.id, d.type, i.seen AS "identityId", d.similarity, d.review_status AS "reviewStatus",
         d.decided_by AS "decidedBy", d.dismissed_at AS "dismissedAt",
         d.mismatch_reviewed AS "mismatchReviewed", s.digest, s.external_ref AS "externalRef",
         (SELECT json_agg(json_build_object(
            'id', r.id, 'identityId', i.seen, 'modelId', r.model_id) ORDER BY r.id)
          FROM face_references r
          WHERE r.environment_id = d.environment_id AND r.detection_id = d.id) AS references,
         (SELECT json_agg(json_build_object('identityId', i.seen, 'isLatest', p.is_latest))
          FROM rejected_pairs p JOIN ${identityOf('p')}
          WHERE p.environment_id = d.environment_id AND p.detection_id = d.id) AS rejections,
         (SELECT json_agg(v.model_id ORDER BY v.model_id) FROM face_vectors v
          WHERE v.environment_id = d.environment_id AND v.detection_id = d.id) AS "embeddedFor"
  FROM ${rowsOf('$1::bigint[]')} AS requested (id)
  JOIN LATERAL (SELECT * FROM detections WHERE id = requested.id LIMIT 1) AS d ON true
  JOIN LATERAL (
    SELECT encode(digest, 'hex') AS digest, external_ref FROM source_images
    WHERE environment_id = d.environment_id AND id = d.source_image_id LIMIT 1) AS s ON true
  LEFT JOIN ${identityOf('d')}
  WHERE d.identity_id IS NULL OR i.seen IS NOT NULL
  ORDER BY d.id`;

export function faceRecordReader(context: ReadContext): FaceRecordReader {
  return {
    async byIds(ids, modelId) {
      const rows = await context.session.prepared<FaceRow>('face-records', RECORDS, [ids]);
      return rows.map((row) => toRecord(row, modelId));
    },
  };
}

function toRecord(row: FaceRow, modelId: number | null): FaceRecord {
  const { digest, externalRef, references, rejections, embeddedFor: models, ...detection } = row;
  const embeddedFor = models ?? [];
  const { id: detectionId } = detection;
  return {
    detection,
    source: { digest, externalRef },
    references: (references ?? []).map((reference) => ({ ...reference, detectionId })),
    rejections: (rejections ?? []).map((rejection) => ({ ...rejection, detectionId })),
    isEmbedded: modelId !== null && embeddedFor.includes(modelId),
    embeddedFor,
  };
}
