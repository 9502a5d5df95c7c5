import { addToSum, meanOf } from '@sightline/core/matching/identity-mean';
import { toBytes } from '@sightline/postgres/stores/references/vector-bytes';
import type pg from 'pg';
import { seededRandom } from '../../support/fixtures/seeded-random.ts';
import {
  FIRST_NAMES,
  HARD_NAMES,
  LAST_NAMES,
  NAMES_IN_OTHER_SCRIPTS,
  OBJECT_CLASSES,
} from './names.ts';

export interface LibraryOptions {
  /** 1 plants a million detections. */
  readonly scale: number;
  /** The id of the active face model. */
  readonly modelId: number;
  readonly dimension: number;
}

/** The name of the environment that has only identities, in which searches by name are measured. */
export const NAMES_ENVIRONMENT = 'names';

const BATCH = 5_000;
/**
 * How much the vectors of one person's faces differ: the random part of each component, relative to the part that all
 * faces of the person share.
 */
const NOISE = 0.25;

export type LibrarySize = ReturnType<typeof librarySize>;

export function librarySize(scale: number) {
  const part = (of: number) => Math.ceil(of * scale);
  return {
    images: part(300_000),
    detections: part(1_000_000),
    identities: part(100_000),
    references: part(300_000),
    names: part(200_000),
    smallEnvironments: part(5000),
  };
}

/**
 * Fills the database's only environment, and adds one that has only names and thousands of small ones. Ids
 * are consecutive and begin with 1. The same scale always plants the same rows, except for their times.
 *
 * @param client the owner's connection
 */
export async function plantLibrary(client: pg.Client, options: LibraryOptions): Promise<void> {
  const size = librarySize(options.scale);
  await client.query('SELECT setseed(0.2026)');
  await client.query('SET max_parallel_workers_per_gather = 0');
  await client.query(
    `INSERT INTO environments (name)
     SELECT $1 UNION ALL SELECT 'small ' || i FROM generate_series(1, $2::int) AS i`,
    [NAMES_ENVIRONMENT, size.smallEnvironments],
  );
  await client.query(SIZES, [
    NAMES_ENVIRONMENT,
    size.images,
    size.detections,
    size.identities,
    size.names,
  ]);
  await client.query(MEDIA_KEY);
  await client.query(IMAGES);
  await client.query(IDENTITIES, [FIRST_NAMES, LAST_NAMES, NAMES_IN_OTHER_SCRIPTS, OBJECT_CLASSES]);
  await client.query(PLAN, [size.references / size.detections]);
  await client.query('ALTER TABLE plan ADD PRIMARY KEY (id)');
  await client.query('ANALYZE plan, source_images, identities');
  await client.query(DETECTIONS);
  await client.query(COVERS);
  await plantVectors(client, options);
  await client.query(REFERENCES, [options.modelId]);
  await client.query(SUGGESTIONS, [options.modelId]);
  await client.query(REJECTIONS);
  await client.query(CONTINUE_SEQUENCES);
}

interface PlannedFace {
  readonly id: string;
  readonly environment: string;
  readonly identity: string | null;
  readonly enrolled: boolean;
}

interface References {
  readonly environment: string;
  readonly sum: Float64Array;
  count: number;
}

/** Plants the vectors of all faces, and each identity's mean vector over its references. */
async function plantVectors(client: pg.Client, options: LibraryOptions): Promise<void> {
  const { modelId, dimension } = options;
  const identities = new Map<string, References>();
  for (let last = '0'; ;) {
    const { rows: faces } = await client.query<PlannedFace>(
      `SELECT id, environment, identity, enrolled FROM plan
       WHERE id > $1 AND type = 'face' ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    if (faces.length === 0) break;
    const vectors = faces.map((face) => vectorOf(face, dimension));
    for (const [at, { environment, identity, enrolled }] of faces.entries()) {
      if (!enrolled) continue;
      const known = identities.get(identity!);
      const references = known ?? { environment, sum: new Float64Array(dimension), count: 0 };
      if (known === undefined) identities.set(identity!, references);
      addToSum(references.sum, vectors[at]!);
      references.count++;
    }
    await client.query(
      `INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
       SELECT environment, id, $1, vector
       FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS given (environment, id, vector)`,
      [
        modelId,
        faces.map(({ environment }) => environment),
        faces.map(({ id }) => id),
        vectors.map(bufferOf),
      ],
    );
    last = faces.at(-1)!.id;
  }
  await plantMeans(client, modelId, [...identities]);
}

async function plantMeans(
  client: pg.Client,
  modelId: number,
  identities: readonly (readonly [string, References])[],
): Promise<void> {
  for (let first = 0; first < identities.length; first += BATCH) {
    const batch = identities.slice(first, first + BATCH);
    await client.query(
      `INSERT INTO identity_means (environment_id, identity_id, model_id, reference_count, sum, mean)
       SELECT environment, id, $1, count, sum, mean
       FROM unnest($2::bigint[], $3::bigint[], $4::int[], $5::bytea[], $6::bytea[])
         AS given (environment, id, count, sum, mean)`,
      [
        modelId,
        batch.map(([, { environment }]) => environment),
        batch.map(([id]) => id),
        batch.map(([, { count }]) => count),
        batch.map(([, { sum }]) => bufferOf(sum)),
        batch.map(([, { sum, count }]) => bufferOf(meanOf(sum, count)!)),
      ],
    );
  }
}

/** A unit vector near that of the face's person; a random unit vector for a face without an identity. */
function vectorOf({ id, identity }: PlannedFace, dimension: number): Float32Array {
  const own = seededRandom(-Number(id));
  const person = identity === null ? null : seededRandom(Number(identity));
  const vector = Float32Array.from({ length: dimension }, () =>
    person === null ? own() - 0.5 : person() - 0.5 + NOISE * (own() - 0.5),
  );
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function bufferOf(vector: Float32Array | Float64Array): Buffer {
  return Buffer.from(toBytes(vector));
}

/** The last identities of an environment are classes of objects; all others are persons. */
const SIZES = `
  CREATE TEMP TABLE sizes AS
  SELECT *, identities - least(80, ceil(identities / 10.0))::int AS persons,
    (sum(images) OVER before - images)::int AS images_before,
    (sum(identities) OVER before - identities)::int AS identities_before
  FROM (
    SELECT id AS environment,
      CASE WHEN is_names THEN 0 WHEN is_small THEN 3 ELSE $2::int END AS images,
      CASE WHEN is_names THEN 0 WHEN is_small THEN 6 ELSE $3::int END AS detections,
      CASE WHEN is_names THEN $5::int WHEN is_small THEN 3 ELSE $4::int END AS identities
    FROM (SELECT id, name = $1 AS is_names, name LIKE 'small %' AS is_small FROM environments) AS each
  ) AS each
  WINDOW before AS (ORDER BY environment)`;

/** A media key in the form of core's `mediaKey`. */
const MEDIA_KEY = `
  CREATE FUNCTION pg_temp.key_of(environment bigint, kind text, id bigint) RETURNS text LANGUAGE sql AS $$
    SELECT environment || '/' || kind || '/' || left(digest, 2) || '/' || digest || '-' || md5(digest) || '.jpg'
    FROM encode(sha256((kind || id)::bytea), 'hex') AS digest $$`;

/** The upload time grows with the id, except for photos that were uploaded years after their neighbors. */
const IMAGES = `
  INSERT INTO source_images (environment_id, id, digest, size_bytes, format, width, height,
    stored_width, stored_height, media_key, media_bytes, external_ref, uploaded_at)
  OVERRIDING SYSTEM VALUE
  SELECT environment, images_before + n, sha256((images_before + n)::text::bytea),
    1000000 + floor(5000000 * random()), 'jpeg', 4000, 3000, 1920, 1440,
    pg_temp.key_of(environment, 'sources', images_before + n), 200000 + floor(400000 * random()),
    CASE WHEN kind < 0.6 THEN 'photo-' || n - 1 WHEN kind < 0.65 THEN 'album-' || n % 50 END,
    '2017-01-01Z'::timestamptz
      + CASE WHEN random() < 0.05 THEN random() ELSE n::float8 / images END * interval '3560 days'
  FROM (SELECT *, random() AS kind FROM sizes, generate_series(1, images) AS n) AS each`;

const IDENTITIES = `
  INSERT INTO identities (environment_id, id, type, label, external_ref, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT environment, identities_before + n + 1, CASE WHEN n < persons THEN 'face' ELSE 'object' END,
    normalize(CASE
      WHEN n >= persons THEN coalesce(($4::text[])[n - persons + 1], 'object ' || n - persons)
      WHEN kind < 0.85 THEN ($1::text[])[ceil(one * cardinality($1::text[]))] || ' ' || chr(65 + n % 26) || '. '
        || ($2::text[])[ceil(two * cardinality($2::text[]))] || ' ' || chr(65 + n / 26 % 26) || n / 676
      WHEN kind < 0.93 THEN ($3::text[])[ceil(one * cardinality($3::text[]))] || ' ' || n
      ELSE (ARRAY[${HARD_NAMES.join(', ')}])[ceil(one * ${HARD_NAMES.length})] END),
    CASE WHEN random() < 0.4 THEN 'contact-' || n END, '2017-01-01Z'::timestamptz + n * interval '1 s'
  FROM (
    SELECT *, random() AS kind, 1 - random() AS one, 1 - random() AS two
    FROM sizes, generate_series(0, identities - 1) AS n
  ) AS each`;

/**
 * The detections with their state: 15 % are objects; of the faces most are confirmed, and the others are
 * pending, rejected or dismissed. The first person has a fiftieth of all detections, and each of the next
 * ten a thousandth. Every tenth image has no detections, and every thousandth has many.
 */
const PLAN = `
  CREATE TEMP TABLE plan AS
  SELECT row_number() OVER (ORDER BY environment, image) AS id, *,
    identities_before + 1 + place AS identity,
    type = 'face' AND state = 'confirmed' AND random() < $1::float8 / 0.65 AS enrolled,
    type = 'object' AND place IS NULL
      OR state = 'confirmed' AND random() < 0.01 AS is_manual
  FROM (
    SELECT *, images_before + 1 + least(images - 1, picked + (picked % 10 = 0)::int) AS image,
      CASE
        WHEN type = 'object' THEN CASE WHEN one >= 0.01
          THEN persons + floor((identities - persons) * two ^ 3)::int END
        WHEN state NOT IN ('confirmed', 'suggested', 'dismissed') THEN NULL
        WHEN persons <= 11 THEN floor(one * persons)::int
        WHEN one < 0.031 THEN 0
        WHEN one < 0.046 THEN 1 + floor(10 * (one - 0.031) / 0.015)::int
        ELSE 11 + floor((persons - 11) * two ^ 2)::int
      END AS place
    FROM (
      SELECT *, CASE WHEN kind < 0.15 THEN 'object' ELSE 'face' END AS type,
        CASE WHEN kind < 0.15 THEN 'confirmed' WHEN kind < 0.19 THEN 'suggested' WHEN kind < 0.25 THEN 'open'
          WHEN kind < 0.27 THEN 'rejected' WHEN kind < 0.29 THEN 'dismissed' WHEN kind < 0.35 THEN 'unknown'
          ELSE 'confirmed' END AS state,
        CASE WHEN random() < 0.018 THEN 1000 * floor(random() * images / 1000)::int + 1
          ELSE floor(random() * images)::int END AS picked
      FROM (
        SELECT environment, images, persons, identities, images_before, identities_before,
          random() AS kind, random() AS one, random() AS two
        FROM sizes, generate_series(1, detections)
      ) AS each
    ) AS each
  ) AS each`;

/** Some detectors round their scores, so many scores are equal. */
const DETECTIONS = `
  INSERT INTO detections (environment_id, id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
    confidence, quality, class_id, class_name, identity_id, similarity, review_status, decided_by, is_manual,
    embedding_source, age, gender, pose, crop_key, crop_bytes, dismissed_at, mismatch_reviewed, detected_at)
  OVERRIDING SYSTEM VALUE
  SELECT environment, id, image, type, floor(3600 * random()), floor(2600 * random()),
    40 + 360 * random(), 40 + 360 * random(),
    CASE WHEN is_manual THEN 1 WHEN random() < 0.3 THEN round(score::numeric, 2) ELSE score END,
    CASE WHEN is_face THEN score END,
    CASE WHEN NOT is_face AND NOT is_manual THEN place - persons END,
    CASE WHEN NOT is_face AND NOT is_manual THEN label END, identity,
    CASE WHEN is_face AND NOT is_manual AND identity IS NOT NULL THEN 0.5 + 0.5 * random() END,
    CASE WHEN state = 'rejected' THEN state
      WHEN state = 'confirmed' AND identity IS NOT NULL THEN state ELSE 'pending' END,
    CASE WHEN is_manual OR state = 'rejected' OR random() < 0.3 THEN 'human' ELSE 'automatic' END, is_manual,
    CASE WHEN is_face AND is_manual THEN 'box' WHEN is_face THEN 'aligned' END,
    CASE WHEN is_face THEN floor(90 * random()) END,
    CASE WHEN is_face THEN CASE WHEN random() < 0.5 THEN 'F' ELSE 'M' END END,
    CASE WHEN is_face THEN ARRAY[60 * random() - 30, 90 * random() - 45, 20 * random() - 10] END,
    pg_temp.key_of(environment, 'crops', id), 5000 + floor(20000 * random()),
    CASE WHEN state IN ('dismissed', 'unknown') THEN detected END,
    is_face AND state = 'confirmed' AND random() < 0.01, detected
  FROM (
    SELECT p.*, p.type = 'face' AS is_face, 0.5 + 0.5 * sqrt(random()) AS score, i.label,
      s.uploaded_at + interval '400 ms' AS detected
    FROM plan p JOIN source_images s ON s.environment_id = p.environment AND s.id = p.image
    LEFT JOIN identities i ON i.environment_id = p.environment AND i.id = p.identity
    ORDER BY p.id
  ) AS each`;

const COVERS = `
  UPDATE identities i SET cover_detection_id = p.id
  FROM (
    SELECT environment, identity, max(id) AS id FROM plan
    WHERE state = 'confirmed' AND identity % 20 = 0 GROUP BY environment, identity
  ) AS p
  WHERE i.environment_id = p.environment AND i.id = p.identity`;

const REFERENCES = `
  INSERT INTO face_references (environment_id, id, identity_id, detection_id, model_id, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT environment, row_number() OVER (ORDER BY p.id), identity, p.id, $1, d.detected_at + interval '1 min'
  FROM plan p JOIN detections d ON d.environment_id = p.environment AND d.id = p.id
  WHERE enrolled ORDER BY p.id`;

/** The first suggestion of a face is its identity. Decided faces may keep their suggestions. */
const SUGGESTIONS = `
  INSERT INTO suggestions (environment_id, detection_id, model_id, identity_id, similarity)
  SELECT environment, id, $1, identities_before + 1 + CASE
      WHEN k = 0 AND place IS NOT NULL THEN place ELSE floor(persons * random())::int END,
    0.3 + 0.6 * best - 0.05 * k
  FROM (SELECT *, random() AS chance, random() AS best FROM plan WHERE type = 'face') AS p
  CROSS JOIN LATERAL generate_series(0, floor(5 * two)::int) AS k
  WHERE chance < CASE state WHEN 'suggested' THEN 1 WHEN 'open' THEN 0.8 WHEN 'unknown' THEN 0.8
    WHEN 'rejected' THEN 0.5 ELSE 0.1 END
  ON CONFLICT DO NOTHING`;

/** A few faces were rejected as another identity before they got theirs. */
const REJECTIONS = `
  INSERT INTO rejected_pairs (environment_id, detection_id, identity_id, rejected_at)
  SELECT p.environment, p.id, p.other, d.detected_at + interval '2 min'
  FROM (SELECT *, identities_before + 1 + floor(persons * random())::int AS other FROM plan) AS p
  JOIN detections d ON d.environment_id = p.environment AND d.id = p.id
  WHERE p.type = 'face' AND (p.state = 'rejected' OR random() < 0.03) AND p.other IS DISTINCT FROM p.identity`;

const CONTINUE_SEQUENCES = ['source_images', 'identities', 'detections', 'face_references']
  .map((table) => `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`)
  .join('; ');
