import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { plantLists } from '@sightline/test/support/fixtures/plant-lists';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { oneFace, photo } from '../testing/people.ts';

/** The number of images, and of their faces of each kind. */
const ROWS = 450;

let api: ApiServer;
/** The identity with a gallery of all confirmed faces. */
let everywhere: number;

beforeAll(async () => {
  const database = await createMigratedDatabase();
  api = await startApi(() => Promise.resolve(database));
  api.analyzer.facesOf = oneFace;
  const { body } = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
  everywhere = body!.identity_id;
  await plantLists(database.connection, { rows: ROWS, identityId: everywhere });
});

afterAll(() => api[Symbol.asyncDispose]());

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

test.each(LISTS)('the buckets of %s?%s begin where their cursors say', async (...given) => {
  const [path, query, value, least] = given;
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
});

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

test.each([
  { no_detections: true, has_manual_detections: true },
  { no_crops: true, type: 'face' },
  { no_detections: true, class_name: 'bus' },
] as const)('conditions that exclude each other select no images: %j', async (query) => {
  const { body } = await api.client.listImageBuckets({ query });
  expect(body).toMatchObject({ items: [], total: 0 });
});

test('the gallery of an unknown identity has no buckets', async () => {
  const { problem } = await api.client.listGalleryBuckets({ path: { id: 999_999 } });
  expect(problem).toMatchObject({ status: 404, code: 'not_found' });
});
