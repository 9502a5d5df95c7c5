import type { DetectionType } from '@sightline/core/detection-type';
import type { FoundName, NameQuery, NameSearch } from '@sightline/core/identities/name-search';
import type { ReadContext } from './store-context.ts';

interface FoundRow {
  readonly identityId: number;
  readonly type: DetectionType;
  readonly label: string;
  readonly similarity: number;
  readonly thumbnailId: number | null;
  readonly cropKey: string | null;
}

/** Text, type or null, limit. */
const FIND = `
  SELECT i.id AS "identityId", i.type, i.label, found.similarity,
    thumbnail.id AS "thumbnailId", thumbnail.crop_key AS "cropKey"
  FROM names_found($1, $2, $3) WITH ORDINALITY AS found (identity_id, similarity, place)
  JOIN identities i ON i.id = found.identity_id
  LEFT JOIN LATERAL (
    (SELECT id, crop_key FROM detections WHERE id = i.cover_detection_id)
    UNION ALL
    (SELECT newest.id, newest.crop_key
     FROM unnest(i.id || array(SELECT id FROM identities WHERE merged_into = i.id)) AS row (id)
     CROSS JOIN LATERAL (
       SELECT d.id, d.crop_key, d.detected_at FROM detections d
       WHERE d.identity_id = row.id AND d.review_status = 'confirmed'
       ORDER BY d.detected_at DESC, d.id DESC LIMIT 1
     ) AS newest
     WHERE i.cover_detection_id IS NULL
     ORDER BY newest.detected_at DESC, newest.id DESC LIMIT 1)
  ) AS thumbnail ON true
  ORDER BY found.place`;

export class PostgresNameSearch implements NameSearch {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async find({ text, type, limit }: NameQuery): Promise<readonly FoundName[]> {
    const rows = await this.#context.session.query<FoundRow>(FIND, [text, type ?? null, limit]);
    return rows.map(({ thumbnailId, cropKey, ...found }) => ({
      ...found,
      thumbnail:
        thumbnailId === null || cropKey === null ? null : { detectionId: thumbnailId, cropKey },
    }));
  }
}
