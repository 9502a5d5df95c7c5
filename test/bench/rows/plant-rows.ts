import { toBytes } from '@sightline/postgres/stores/references/vector-bytes';
import type pg from 'pg';

export interface RowsSize {
  readonly environments: number;
  readonly people: number;
  /** The faces of the identity that is everywhere, and how many of them are its references. */
  readonly everywhere: number;
  readonly references: number;
  /** The faces that the service assigned to one identity, and that no person has confirmed. */
  readonly unconfirmed: number;
  /** The faces that were rejected from one identity. */
  readonly rejected: number;
  readonly images: number;
}

export function rowsSize(scale: number): RowsSize {
  const part = (of: number) => Math.ceil(of * scale);
  return {
    environments: part(100_000),
    people: part(60_000),
    everywhere: part(120_000),
    references: part(20_000),
    unconfirmed: part(40_000),
    rejected: part(40_000),
    images: part(300_000),
  };
}

/** The ids of the identities with many rows, which follow those of the people. */
export function specialIdentities({ people }: RowsSize) {
  return { everywhere: people + 1, unconfirmed: people + 2, rejected: people + 3 };
}

/**
 * Fills the database's only environment with few identities that have very many rows, and adds idle environments. Ids
 * are consecutive and begin with 1. Each image has two faces: the first has an identity; the second was rejected from
 * one, or waits for review. No image shows both the identity that is everywhere and the unconfirmed one.
 *
 * @param client the owner's connection
 */
export async function plantRows(
  client: pg.Client,
  options: { readonly scale: number; readonly modelId: number; readonly dimension: number },
): Promise<void> {
  const { modelId, dimension } = options;
  const size = rowsSize(options.scale);
  const special = specialIdentities(size);
  await client.query(ENVIRONMENTS, [size.environments]);
  await client.query(IDENTITIES, [size.people]);
  await client.query(IMAGES, [size.images]);
  await client.query(FACES, [size.images, size.everywhere, size.unconfirmed, size.people]);
  await client.query(REJECTIONS, [size.images - size.rejected, size.images, special.rejected]);
  await client.query(SUGGESTIONS, [
    size.images - size.rejected,
    special.everywhere,
    modelId,
    size.people,
  ]);
  const vector = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
  const sum = Float64Array.from(vector, (value) => value * size.references);
  await client.query(VECTORS, [size.references, modelId, Buffer.from(toBytes(vector))]);
  await client.query(REFERENCES, [size.references, modelId, special.everywhere]);
  await client.query(MEAN, [
    special.everywhere,
    modelId,
    size.references,
    Buffer.from(toBytes(sum)),
    Buffer.from(toBytes(vector)),
  ]);
  await client.query(CONTINUE_SEQUENCES);
}

const ENVIRONMENTS = `
  INSERT INTO environments (name) SELECT 'idle ' || n FROM generate_series(1, $1::int) AS n`;

const IDENTITIES = `
  INSERT INTO identities (environment_id, id, type, label, external_ref) OVERRIDING SYSTEM VALUE
  SELECT 1, n, 'face', 'Person ' || n, 'ref ' || n % 500 FROM generate_series(1, $1::int) AS n
  UNION ALL SELECT 1, $1 + 1, 'face', 'Everywhere', NULL
  UNION ALL SELECT 1, $1 + 2, 'face', 'Unconfirmed', NULL
  UNION ALL SELECT 1, $1 + 3, 'face', 'Rejected', NULL`;

const IMAGES = `
  INSERT INTO source_images (environment_id, id, digest, size_bytes, format, width, height,
    stored_width, stored_height, media_key, media_bytes, external_ref, uploaded_at) OVERRIDING SYSTEM VALUE
  SELECT 1, n, sha256(n::text::bytea), 1000, 'jpeg', 400, 400, 400, 400, '1/sources/' || n, 1000,
    'album ' || n % 5000, '2026-01-01Z'::timestamptz + n * 7919 % 300007 * interval '1 minute'
  FROM generate_series(1, $1::bigint) AS n`;

const FACES = `
  INSERT INTO detections (environment_id, id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
    confidence, identity_id, similarity, review_status, decided_by, is_manual, crop_key, crop_bytes,
    embedding_source, detected_at) OVERRIDING SYSTEM VALUE
  SELECT 1, 2 * n - second, n, 'face', 60 * second, 1, 40, 40, n * 7919 % 100003 / 100003.0,
    CASE WHEN second = 1 THEN NULL WHEN n <= $2 THEN $4 + 1 WHEN n <= $2 + $3 THEN $4 + 2
      ELSE 1 + n % $4 END,
    CASE WHEN second = 0 AND n > $2 AND n <= $2 + $3 THEN 0.7 END,
    CASE WHEN second = 1 OR n > $2 AND n <= $2 + $3 THEN 'pending' ELSE 'confirmed' END,
    CASE WHEN second = 1 OR n > $2 AND n <= $2 + $3 THEN 'automatic' ELSE 'human' END,
    false, '1/crops/' || 2 * n - second, 100, 'aligned',
    '2026-01-01Z'::timestamptz + n * 7919 % 300007 * interval '1 minute'
  FROM generate_series(1, $1::bigint) AS n, generate_series(0, 1) AS second`;

/** The rejected faces are the second ones of the last images. */
const REJECTIONS = `
  WITH rejected AS (
    UPDATE detections SET review_status = 'rejected', decided_by = 'human'
    WHERE id % 2 = 1 AND source_image_id > $1 AND source_image_id <= $2 RETURNING id
  )
  INSERT INTO rejected_pairs (environment_id, detection_id, identity_id, is_latest)
  SELECT 1, id, $3, true FROM rejected`;

const SUGGESTIONS = `
  INSERT INTO suggestions (environment_id, detection_id, model_id, identity_id, similarity)
  SELECT 1, 2 * n - 1, $3, CASE WHEN n % 2 = 0 THEN $2 ELSE 1 + n % $4 END, 0.3 + n % 20 / 100.0
  FROM generate_series(1, least($1, 100000)::int) AS n`;

const VECTORS = `
  INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
  SELECT 1, 2 * n, $2, $3 FROM generate_series(1, $1::int) AS n`;

const REFERENCES = `
  INSERT INTO face_references (environment_id, identity_id, detection_id, model_id)
  SELECT 1, $3, 2 * n, $2 FROM generate_series(1, $1::int) AS n`;

const MEAN = `
  INSERT INTO identity_means (environment_id, identity_id, model_id, reference_count, sum, mean)
  VALUES (1, $1, $2, $3, $4, $5)`;

const CONTINUE_SEQUENCES = ['source_images', 'identities', 'detections', 'face_references']
  .map((table) => `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`)
  .join('; ');
