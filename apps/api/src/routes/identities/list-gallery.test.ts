import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

/** Stores a person with photos at these angles. Returns the ids of the identity and of its detections. */
async function person(...angles: readonly string[]) {
  const ids: number[] = [];
  let id = 0;
  for (const angle of angles) {
    const { body } = await api.client.detectFaces({ body: { file: photo(angle), label: 'Anna' } });
    const [face] = body!.faces;
    id = face!.identity_id!;
    ids.push(face!.detection_id);
  }
  return { id, ids };
}

describe('GET /api/identities/{id}/gallery', () => {
  test('shows detections', async () => {
    const { body: run } = await api.client.detectFaces({
      body: { file: photo('0'), external_ref: 'dam/7', label: 'Anna' },
    });
    const [face] = run!.faces;
    const { body } = await api.client.listGallery({ path: { id: face!.identity_id! } });
    expect(body).toEqual({
      items: [
        {
          detection_id: face!.detection_id,
          crop_url: face!.crop_url,
          source_image_id: run!.source_image_id,
          source_external_ref: 'dam/7',
          detected_at: expect.stringMatching(/T.*\.\d{3}Z$/),
          confidence: 0.9,
          review_status: 'confirmed',
        },
      ],
      next_cursor: null,
      has_more: false,
    });
  });

  test.each(['newest', 'oldest'] as const)(
    'is paged, the %s first, by <detected_at>_<detection_id>',
    async (sort) => {
      const { id, ids } = await person('0', '1', '2', '3', '4');
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const query = { sort, limit: 2, cursor };
        const { body } = await api.client.listGallery({ path: { id }, query });
        const last = body!.items.at(-1)!;
        seen.push(...body!.items.map((item) => item.detection_id));
        expect(body!.next_cursor).toBe(
          body!.has_more ? `${last.detected_at}_${last.detection_id}` : null,
        );
        cursor = body!.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(sort === 'oldest' ? ids : ids.toReversed());
    },
  );

  test('takes a cursor of the other order', async () => {
    const { id, ids } = await person('0', '1', '2', '3');
    const { body } = await api.client.listGallery({ path: { id }, query: { limit: 2 } });
    const cursor = body!.next_cursor!;
    const back = await api.client.listGallery({ path: { id }, query: { sort: 'oldest', cursor } });
    expect(back.body!.items.map((item) => item.detection_id)).toEqual([ids[3]]);
  });

  test('is also there for objects', async () => {
    const { body: run } = await api.client.detectObjects({ body: { file: photo('street') } });
    const [bicycle] = run!.objects;
    const { body } = await api.client.listGallery({ path: { id: bicycle!.identity_id! } });
    expect(body!.items).toMatchObject([{ detection_id: bicycle!.detection_id }]);
  });

  test('is 404 for an unknown identity', async () => {
    const { problem } = await api.client.listGallery({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each([
    { sort: 'random' },
    { limit: 'x' },
    { cursor: '0.9_7' },
    { cursor: '2026-02-30T10:00:00.000Z_7' },
    { cursor: 'nonsense' },
  ])('refuses %j', async (query) => {
    const { id } = await person('0');
    const { problem } = await api.client.listGallery({ path: { id }, query: query as never });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: Object.keys(query)[0] }] });
  });
});

describe('GET /api/identities/{id}/rejected', () => {
  test('is empty if no face was rejected', async () => {
    const { id } = await person('0');
    const { body } = await api.client.listRejectedFaces({ path: { id } });
    expect(body).toEqual({ items: [], next_cursor: null, has_more: false });
    const page = await api.client.listRejectedFaces({ path: { id }, query: { limit: 1 } });
    expect(page.body).toEqual({ items: [], next_cursor: null, has_more: false });
  });

  test('is 404 for an unknown identity', async () => {
    const { problem } = await api.client.listRejectedFaces({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each(['0.9_7', '2026-11-20T10:00:00.000Z_7', 'WyJ1bmtub3duIiwxXQ'])(
    'refuses the cursor %j',
    async (cursor) => {
      const { id } = await person('0');
      const { problem } = await api.client.listRejectedFaces({ path: { id }, query: { cursor } });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
    },
  );
});
