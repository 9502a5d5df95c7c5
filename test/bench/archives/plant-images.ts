import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sampleJpeg } from '@sightline/archive-zip/testing/sample-jpeg';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { mediaKey, type MediaKind } from '@sightline/core/media/media-key';
import pg from 'pg';

/** The usual sizes of the files that the service makes of a photo. */
const IMAGE_BYTES = 300_000;
const CROP_BYTES = 12_000;
/** The faces of an image. */
export const FACES = 2;
/** The bytes of one image's files. */
export const PLANTED_BYTES = IMAGE_BYTES + FACES * CROP_BYTES;
const BATCH = 200;

const WIDTH = 1600;
const HEIGHT = 1200;
/** An image without pixels: an import reads only its header. */
const HEAD = sampleJpeg(WIDTH, HEIGHT);

/**
 * Writes images with two faces each into the environment of the first key. The service must not be running.
 *
 * @param data the data folder
 * @returns the paths of the files, image by image
 */
export async function plantImages(data: string, images: number): Promise<readonly string[]> {
  await using server = await EmbeddedPostgres.open({ folder: join(data, 'postgres') });
  const client = new pg.Client(server.connection);
  await client.connect();
  const paths: string[] = [];
  try {
    const { rows } = await client.query<Record<'environment' | 'model' | 'dimension', string>>(
      `SELECT k.environment_id AS environment, m.id AS model, m.embedding_dim AS dimension
       FROM keys k, models m WHERE m.task = 'face' AND m.status = 'active'`,
    );
    const [subject] = rows;
    await client.query('DELETE FROM index_readers');
    for (let first = 0; first < images; first += BATCH) {
      const count = Math.min(BATCH, images - first);
      paths.push(...(await plantBatch(client, { data, count, ...subject! })));
    }
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  return paths;
}

interface Batch {
  readonly data: string;
  readonly count: number;
  readonly environment: string;
  readonly model: string;
  readonly dimension: string;
}

async function plantBatch(
  client: pg.Client,
  { data, count, environment, model, dimension }: Batch,
): Promise<readonly string[]> {
  const folder = join(data, 'media/objects');
  const put = async (kind: MediaKind, size: number): Promise<string> => {
    const bytes = Buffer.concat([HEAD, randomBytes(size - HEAD.length)]);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const key = mediaKey(Number(environment), kind, { digest, extension: 'jpg' });
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), bytes);
    return key;
  };
  const sources = await Promise.all(
    Array.from({ length: count }, () => put('sources', IMAGE_BYTES)),
  );
  const crops = await Promise.all(
    Array.from({ length: count * FACES }, () => put('crops', CROP_BYTES)),
  );
  const vector = Float32Array.from({ length: Number(dimension) }, () => Number(dimension) ** -0.5);
  await client.query(PLANT, [
    environment,
    sources,
    crops,
    IMAGE_BYTES,
    CROP_BYTES,
    FACES,
    model,
    Buffer.from(vector.buffer),
    WIDTH,
    HEIGHT,
  ]);
  return sources.flatMap((source, index) =>
    [source, ...crops.slice(FACES * index, FACES * (index + 1))].map((key) => join(folder, key)),
  );
}

const PLANT = `
  WITH images AS (
    INSERT INTO source_images (environment_id, digest, size_bytes, format, width, height,
      stored_width, stored_height, media_key, media_bytes)
    SELECT $1, decode(substr(split_part(key, '/', 4), 1, 64), 'hex'), $4, 'jpeg', $9::int, $10::int, $9::int,
      $10::int, key, $4
    FROM unnest($2::text[]) WITH ORDINALITY AS n (key, place) ORDER BY place
    RETURNING id
  ), faces AS (
    INSERT INTO detections (environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
      confidence, quality, review_status, decided_by, is_manual, embedding_source, crop_key, crop_bytes,
      landmarks, age, gender, pose)
    SELECT $1, images.id, 'face', 100.25 + x, 200.5, 150.125, 180.75, 0.9123456789, 0.87654321, 'pending',
      'automatic', false, 'aligned', crop.key, $5,
      ARRAY[101.5 + x, 202.25, 130.125 + x, 201.5, 115.75 + x, 220.25, 104.5 + x, 240.125, 128.25 + x, 239.5],
      31, 'F', '{1.5,-2,0.25}'
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM images) AS images
    JOIN unnest($3::text[]) WITH ORDINALITY AS crop (key, place)
      ON (crop.place - 1) / $6::int = images.place - 1
    CROSS JOIN LATERAL (SELECT 400 * ((crop.place - 1) % $6::int)) AS face (x)
    RETURNING id
  )
  INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
  SELECT $1, id, $7, $8 FROM faces`;
