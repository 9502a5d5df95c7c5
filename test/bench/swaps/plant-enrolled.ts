import { join } from 'node:path';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { PostgresActivationStore } from '@sightline/postgres/stores/models/activations';
import type { EnrolledImage } from '@sightline/core/models/activation-store';
import pg from 'pg';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import { timed } from '../statistics.ts';

/** The number of faces per identity, as in a large library. */
const FACES_OF_ONE = 3;
/** The page size of an activation. */
const PAGE = 200;

/** Enrolls all detected faces in the database of a service that has stopped. */
export async function enrollAll(data: string): Promise<void> {
  await withOwner(data, async (client) => {
    await client.query(ENROLL, [FACES_OF_ONE]);
    await client.query('VACUUM ANALYZE');
  });
}

/** The images that the activation of a model would embed. */
interface Planned {
  readonly references: number;
  readonly images: number;
  /** The seconds until all these images were found. */
  readonly seconds: number;
}

/**
 * Multiplies a library by copying its rows, removes all embeddings of the model, and searches for the images
 * that its activation would embed.
 */
export async function planLarger(
  data: string,
  { times, model }: { readonly times: number; readonly model: string },
): Promise<Planned> {
  return withOwner(data, async (client, connection) => {
    const [{ id }] = await idsOf(client, 'SELECT id FROM models WHERE name = $1', [model]);
    await client.query('DELETE FROM face_references WHERE model_id = $1', [id]);
    await client.query('DELETE FROM face_vectors WHERE model_id = $1', [id]);
    await client.query(MULTIPLY, [times - 1]);
    await client.query('VACUUM ANALYZE');
    const [{ id: references }] = await idsOf(client, 'SELECT count(*) AS id FROM face_references');
    const logger = createLogger({ level: 'silent' });
    await using pools = openPools(connection, { ...LONG_TIMEOUTS, logger });
    const store = new PostgresActivationStore(new Doors(pools));
    let images = 0;
    const milliseconds = await timed(async () => (images = await countBehind(store, Number(id))));
    return { references: Number(references), images, seconds: milliseconds / 1000 };
  });
}

async function countBehind(store: PostgresActivationStore, model: number): Promise<number> {
  let after: EnrolledImage | null = null;
  for (let images = 0; ;) {
    const page: readonly EnrolledImage[] = await store.enrolledBehind(model, {
      after,
      limit: PAGE,
    });
    images += page.length;
    if (page.length < PAGE) return images;
    after = page.at(-1)!;
  }
}

interface OneRow {
  readonly id: string;
}

async function idsOf(
  client: pg.Client,
  query: string,
  values: readonly unknown[] = [],
): Promise<[OneRow, ...OneRow[]]> {
  const { rows } = await client.query<OneRow>(query, [...values]);
  return rows as [OneRow, ...OneRow[]];
}

async function withOwner<T>(
  data: string,
  work: (client: pg.Client, connection: EmbeddedPostgres['connection']) => Promise<T>,
): Promise<T> {
  await using server = await EmbeddedPostgres.open({ folder: join(data, 'postgres') });
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    return await work(client, server.connection);
  } finally {
    await client.end();
  }
}

const ENROLL = `
  WITH faces AS (
    SELECT id, environment_id, (row_number() OVER (ORDER BY id) - 1) / $1::int AS person
    FROM detections WHERE type = 'face'
  ), people AS (
    INSERT INTO identities (environment_id, type, label)
    SELECT DISTINCT environment_id, 'face', 'Enrolled ' || person FROM faces
    RETURNING id, environment_id, label
  ), named AS (
    UPDATE detections d SET identity_id = p.id, review_status = 'confirmed', decided_by = 'human'
    FROM faces f JOIN people p ON p.environment_id = f.environment_id AND p.label = 'Enrolled ' || f.person
    WHERE d.environment_id = f.environment_id AND d.id = f.id
    RETURNING d.environment_id, d.id, d.identity_id
  )
  INSERT INTO face_references (environment_id, identity_id, detection_id, model_id)
  SELECT n.environment_id, n.identity_id, n.id, v.model_id
  FROM named n JOIN face_vectors v ON v.environment_id = n.environment_id AND v.detection_id = n.id`;

/** Copies images with their faces. The copies get new media keys, whose files do not exist. */
const MULTIPLY = `
  WITH images AS (
    SELECT s.*, copy, nextval(pg_get_serial_sequence('source_images', 'id')) AS new_id
    FROM source_images s, generate_series(1, $1::int) AS copy
  ), copied AS (
    INSERT INTO source_images (id, environment_id, digest, size_bytes, format, width, height,
      stored_width, stored_height, media_key, media_bytes)
    OVERRIDING SYSTEM VALUE
    SELECT new_id, environment_id, sha256((id || ' ' || copy)::bytea), size_bytes, format, width, height,
      stored_width, stored_height, left(media_key, -36) || lpad(new_id::text, 32, '0') || '.jpg', media_bytes
    FROM images
  ), faces AS (
    SELECT d.*, i.new_id AS image, nextval(pg_get_serial_sequence('detections', 'id')) AS new_id
    FROM detections d JOIN images i ON i.environment_id = d.environment_id AND i.id = d.source_image_id
  ), detected AS (
    INSERT INTO detections (id, environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
      confidence, identity_id, review_status, decided_by, is_manual, embedding_source, landmarks,
      crop_key, crop_bytes)
    OVERRIDING SYSTEM VALUE
    SELECT new_id, environment_id, image, type, bbox_x, bbox_y, bbox_w, bbox_h,
      confidence, identity_id, review_status, decided_by, is_manual, embedding_source, landmarks,
      left(crop_key, -36) || lpad(new_id::text, 32, '0') || '.jpg', crop_bytes
    FROM faces
  ), embedded AS (
    INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
    SELECT f.environment_id, f.new_id, v.model_id, v.vector
    FROM faces f JOIN face_vectors v ON v.environment_id = f.environment_id AND v.detection_id = f.id
  )
  INSERT INTO face_references (environment_id, identity_id, detection_id, model_id)
  SELECT f.environment_id, f.identity_id, f.new_id, r.model_id
  FROM faces f JOIN face_references r ON r.environment_id = f.environment_id AND r.detection_id = f.id`;
