import type pg from 'pg';

/** The faces that wait for a decision, each with a suggestion. */
export const WAITING = 3_000;

export function consoleSize(scale: number) {
  return { people: Math.ceil(100_000 * scale), images: Math.ceil(100_000 * scale) };
}

export interface ConsolePlanting {
  readonly scale: number;
  readonly modelId: number;
  /** The digests (SHA-256, hex) of the pictures that all crops and photos show. */
  readonly digests: readonly string[];
}

/**
 * Fills the database's only environment with people, each with one photo, and with faces that wait for review.
 *
 * @param client the owner's connection
 */
export async function plantConsole(
  client: pg.Client,
  { scale, modelId, digests }: ConsolePlanting,
): Promise<void> {
  const { people, images } = consoleSize(scale);
  await client.query(KEY_OF);
  await client.query(IMAGES, [images + WAITING, digests]);
  await client.query(PEOPLE, [people]);
  await client.query(FACES, [people, images, digests]);
  await client.query(COVERS);
  await client.query(SUGGESTIONS, [modelId, people]);
}

/** A media key in the form of core's `mediaKey`. Equal digests share a picture. */
const KEY_OF = `
  CREATE FUNCTION pg_temp.key_of(environment bigint, kind text, digest text, n bigint)
  RETURNS text LANGUAGE sql AS $$
    SELECT environment || '/' || kind || '/' || left(digest, 2) || '/' || digest || '-' || md5(kind || n) || '.jpg' $$`;

const IMAGES = `
  INSERT INTO source_images (environment_id, digest, size_bytes, format, width, height,
    stored_width, stored_height, media_key, media_bytes, uploaded_at)
  SELECT e.id, sha256(n::text::bytea), 100000, 'jpeg', 800, 600, 800, 600,
    pg_temp.key_of(e.id, 'sources', ($2::text[])[1 + n % cardinality($2::text[])], n), 100000,
    '2024-01-01Z'::timestamptz + n * interval '5 min'
  FROM environments e, generate_series(1, $1::int) AS n`;

const PEOPLE = `
  INSERT INTO identities (environment_id, type, label, created_at)
  SELECT e.id, 'face', chr(65 + n % 26) || chr(97 + n / 26 % 26) || chr(97 + n / 676 % 26) || 'a Person ' || n,
    '2024-01-01Z'::timestamptz + n * interval '1 min'
  FROM environments e, generate_series(1, $1::int) AS n`;

/** Each person has the face of one photo; the faces of the last photos wait for review. */
const FACES = `
  INSERT INTO detections (environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h, confidence,
    quality, identity_id, review_status, decided_by, is_manual, crop_key, crop_bytes, detected_at)
  SELECT environment_id, id, 'face', 240, 120, 320, 320, 0.9, 0.9, identity,
    CASE WHEN identity IS NULL THEN 'pending' ELSE 'confirmed' END, 'human', false,
    pg_temp.key_of(environment_id, 'crops', ($3::text[])[1 + id % cardinality($3::text[])], id), 100000, uploaded_at
  FROM (
    SELECT s.*, CASE WHEN s.place <= $2::int THEN i.id END AS identity
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS place FROM source_images) AS s
    LEFT JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM identities) AS i
      ON i.place = 1 + (s.place - 1) % $1::int
  ) AS each`;

const COVERS = `
  UPDATE identities i SET cover_detection_id = d.id
  FROM (SELECT environment_id, identity_id, max(id) AS id FROM detections GROUP BY 1, 2) AS d
  WHERE d.environment_id = i.environment_id AND d.identity_id = i.id`;

const SUGGESTIONS = `
  INSERT INTO suggestions (environment_id, detection_id, model_id, identity_id, similarity)
  SELECT d.environment_id, d.id, $1, i.id, 0.6
  FROM detections d
  JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM identities) AS i
    ON i.place = 1 + d.id % $2::int
  WHERE d.identity_id IS NULL`;
