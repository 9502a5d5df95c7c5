import type { Rejection } from '@sightline/core/detections/detection';
import type {
  DecidedDetection,
  FaceRecord,
  FaceRecordReader,
} from '@sightline/core/references/face-record';
import type { ReferenceLink } from '@sightline/core/references/reference';
import type { ReadContext } from './store-context.ts';

interface FaceRow extends DecidedDetection {
  readonly digest: string;
  readonly externalRef: string | null;
  readonly references: readonly Omit<ReferenceLink, 'detectionId'>[] | null;
  readonly rejections: readonly Omit<Rejection, 'detectionId'>[] | null;
  readonly isEmbedded: boolean;
}

/**
 * Joins the identity of a row. As in the view `assigned_identities`, but without a second join for the
 * label: the identity that a row has is `SHOWN`, and it is found only while it `STAYS`.
 */
const identityOf = (row: string) =>
  `identities i ON i.environment_id = ${row}.environment_id AND i.id = ${row}.identity_id`;
const SHOWN = 'coalesce(i.merged_into, i.id)';
const STAYS = '(i.leaving_since IS NULL OR i.merged_into IS NOT NULL)';

/** Ids, model or null. One statement: it is in the path of each of many decisions. */
const RECORDS = `
  SELECT d.id, d.type, ${SHOWN} AS "identityId", d.similarity, d.review_status AS "reviewStatus",
         d.decided_by AS "decidedBy", d.dismissed_at AS "dismissedAt",
         d.mismatch_reviewed AS "mismatchReviewed",
         encode(s.digest, 'hex') AS digest, s.external_ref AS "externalRef",
         (SELECT json_agg(json_build_object(
            'id', r.id, 'identityId', ${SHOWN}, 'modelId', r.model_id) ORDER BY r.id)
          FROM face_references r JOIN ${identityOf('r')}
          WHERE r.environment_id = d.environment_id AND r.detection_id = d.id AND ${STAYS}
         ) AS references,
         (SELECT json_agg(json_build_object('identityId', ${SHOWN}, 'isLatest', p.is_latest))
          FROM rejected_pairs p JOIN ${identityOf('p')}
          WHERE p.environment_id = d.environment_id AND p.detection_id = d.id AND ${STAYS}
         ) AS rejections,
         EXISTS (SELECT FROM face_vectors v
           WHERE v.environment_id = d.environment_id AND v.detection_id = d.id
             AND v.model_id = $2) AS "isEmbedded"
  FROM detections d
  JOIN source_images s ON s.environment_id = d.environment_id AND s.id = d.source_image_id
  LEFT JOIN ${identityOf('d')}
  WHERE d.id = any($1::bigint[]) AND (d.identity_id IS NULL OR ${STAYS})
  ORDER BY d.id`;

export class PostgresFaceRecordReader implements FaceRecordReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async byIds(ids: readonly number[], modelId: number | null): Promise<readonly FaceRecord[]> {
    const rows = await this.#context.session.query<FaceRow>(RECORDS, [ids, modelId]);
    return rows.map(toRecord);
  }
}

function toRecord(row: FaceRow): FaceRecord {
  const { digest, externalRef, references, rejections, isEmbedded, ...detection } = row;
  const { id: detectionId } = detection;
  return {
    detection,
    source: { digest, externalRef },
    references: (references ?? []).map((reference) => ({ ...reference, detectionId })),
    rejections: (rejections ?? []).map((rejection) => ({ ...rejection, detectionId })),
    isEmbedded,
  };
}
