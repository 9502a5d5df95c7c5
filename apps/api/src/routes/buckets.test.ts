import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import pg from 'pg';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { oneFace, photo } from '../testing/people.ts';

/** The number of images, and of their faces of each kind. */
const ROWS = 450;

let api: ApiServer;
let owner: pg.Client;
/** The identity with a gallery of all confirmed faces. */
let everywhere: number;

beforeAll(async () => {
  const database = await createMigratedDatabase();
  api = await startApi(() => Promise.resolve(database));
  owner = new pg.Client(database.connection);
  await owner.connect();
  api.analyzer.facesOf = oneFace;
  const { body } = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
  everywhere = body!.identity_id;
  await owner.query(PLANT, [ROWS, everywhere]);
});

afterAll(async () => {
  await owner.end();
  await api[Symbol.asyncDispose]();
});

/**
 * Plants images with a confirmed face of the identity and two faces that wait for review, one of which has a suggestion.
 * Many rows have equal values.
 */
const PLANT = `
  WITH known AS (
    SELECT d.environment_id AS e, m.id AS model FROM detections d, models m
    WHERE d.identity_id = $2 AND m.task = 'face' AND m.status = 'active' LIMIT 1
  ), people AS (
    INSERT INTO identities (environment_id, type, label, created_at)
    SELECT e, CASE WHEN n % 9 = 0 THEN 'object' ELSE 'face' END, 'Person ' || n % 400 || ' ' || n / 400,
      '2026-01-01Z'::timestamptz + n % 50 * interval '1 hour'
    FROM known, generate_series(1, $1::int) AS n
  ), images AS (
    INSERT INTO source_images (environment_id, digest, size_bytes, format, width, height,
      stored_width, stored_height, media_key, media_bytes, uploaded_at, taken_at)
    SELECT e, sha256(n::text::bytea), 1, 'jpeg', 9, 9, 9, 9, 'planted/' || n, 1,
      '2026-01-01Z'::timestamptz + n % 100 * interval '1 hour',
      CASE WHEN n % 3 = 0 THEN '-infinity' ELSE '2025-01-01Z'::timestamptz + n % 70 * interval '1 hour' END
    FROM known, generate_series(1, $1::int) AS n RETURNING environment_id AS e, id
  ), faces AS (
    INSERT INTO detections (environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h, confidence,
      identity_id, review_status, decided_by, is_manual, crop_key, crop_bytes, detected_at)
    SELECT e, id, 'face', 0, 0, 1, 1, id % 60 / 100.0, CASE WHEN kind = 0 THEN $2::bigint END,
      CASE WHEN kind = 0 THEN 'confirmed' ELSE 'pending' END, 'human', false, 'planted/' || id || '/' || kind, 1,
      '2026-01-01Z'::timestamptz + id % 80 * interval '1 hour'
    FROM images, generate_series(0, 2) AS kind
    RETURNING environment_id AS e, id, crop_key
  )
  INSERT INTO suggestions (environment_id, detection_id, model_id, identity_id, similarity)
  SELECT f.e, f.id, model, $2, 0.5 + f.id % 40 / 100.0 FROM faces f, known
  WHERE f.crop_key LIKE '%/1'`;

type Json = Record<string, unknown>;

async function get(path: string, query: string): Promise<Json> {
  const response = await api.fetch(`${path}?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

/** Reads a list in pages. */
async function itemsOf(path: string, query: string): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Json = await get(
      path,
      `${query}&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    items.push(...(page.items as Json[]));
    cursor = page.next_cursor as string | null;
  }
  return items;
}

const LISTS: readonly (readonly [path: string, query: string, value: string, least: number])[] = [
  ['/api/identities/summary', '', 'label', 450],
  ['/api/identities/summary', 'sort=detections', 'detection_count', 450],
  ['/api/identities/summary', 'sort=newest&type=face', 'created_at', 400],
  ['/api/identities/summary', 'sort=last_seen', 'last_seen_at', 450],
  ['/api/identities/summary', 'q=person&has_pending=false&sort=newest', 'created_at', 450],
  ['/api/images', '', 'uploaded_at', 450],
  ['/api/images', 'sort=oldest', 'uploaded_at', 450],
  ['/api/images', 'sort=most_detections', 'detection_count', 450],
  ['/api/images', 'sort=fewest_detections&identity_id=EVERYWHERE', 'detection_count', 450],
  ['/api/images', 'sort=taken&without_identity_id=999', 'taken_at', 450],
  ['/api/identities/EVERYWHERE/gallery', '', 'detected_at', 450],
  ['/api/identities/EVERYWHERE/gallery', 'sort=oldest', 'detected_at', 450],
  ['/api/review', '', 'confidence', 900],
  ['/api/review', 'sort=newest', 'detected_at', 900],
  ['/api/review', 'sort=similarity', 'similarity', 900],
  ['/api/review', 'identity_id=EVERYWHERE', 'confidence', 450],
  ['/api/review', 'identity_id=EVERYWHERE&sort=similarity', 'similarity', 450],
  ['/api/review', 'min_similarity=0.6&sort=newest', 'detected_at', 300],
  ['/api/detections/unknown', '', 'detected_at', 900],
];

function valueOf(item: Json, member: string): unknown {
  if (member !== 'similarity') return item[member];
  const [best] = item.suggested_matches as { similarity: number }[];
  return best?.similarity ?? null;
}

test.each(LISTS)(
  'the buckets of %s?%s begin where their cursors say',
  async (path, query, value, least) => {
    const [list, filter] = [path, query].map((text) =>
      text.replace('EVERYWHERE', String(everywhere)),
    );
    const items = await itemsOf(list!, filter!);
    expect(items.length).toBeGreaterThanOrEqual(least);
    const buckets = await get(`${list}/buckets`, filter!);
    expect(buckets.total).toBe(items.length);
    expect(buckets.as_of).toMatch(/Z$/);
    let at = 0;
    const all = buckets.items as { cursor: string | null; first: unknown; count: number }[];
    for (const [i, { cursor, first, count }] of all.entries()) {
      expect(first).toEqual(valueOf(items[at]!, value));
      expect(cursor === null).toBe(i === 0);
      const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await get(list!, `${filter}&limit=2${from}`);
      expect(page.items).toEqual(items.slice(at, at + 2));
      expect(count).toBeGreaterThanOrEqual(i === all.length - 1 ? 1 : 200);
      at += count;
    }
    expect(at).toBe(items.length);
  },
);

test('buckets are kept for some seconds, for each environment', async () => {
  const query = { class_name: 'no such' };
  const { body: before } = await api.client.listImageBuckets({ query });
  expect(before).toMatchObject({ items: [], total: 0 });
  expect((await api.client.listImageBuckets({ query })).body).toEqual(before);
  const stranger = await api.clientOf({ environment: 'theirs' });
  expect((await stranger.listUnknownBuckets()).body).toMatchObject({ items: [], total: 0 });
});

test.each([
  '/api/images/buckets?sort=best',
  '/api/review/buckets?sort=best',
  '/api/review/buckets?min_similarity=2',
  '/api/identities/summary/buckets?min_detections=few',
  `/api/identities/summary/buckets?q=${'x'.repeat(201)}`,
  '/api/images/buckets?identity_twice=thrice',
])('%s is refused', async (path) => {
  const response = await api.fetch(path);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
});

test('the gallery of an unknown identity has no buckets', async () => {
  const { problem } = await api.client.listGalleryBuckets({ path: { id: 999_999 } });
  expect(problem).toMatchObject({ status: 404, code: 'not_found' });
});
