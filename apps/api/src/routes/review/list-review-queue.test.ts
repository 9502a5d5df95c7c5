import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
/** The text of a photo is an angle and optionally a score: `50 0.7`. */
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = (text) => {
    const [degrees, confidence = 0.9] = text.split(' ').map(Number);
    return [faceAt(degrees!, { confidence })];
  };
});
afterAll(() => api[Symbol.asyncDispose]());

type Query = NonNullable<Parameters<typeof api.client.listReviewQueue>[0]>['query'];

async function detect(text: string) {
  const { body } = await api.client.detectFaces({ body: { file: photo(text) } });
  return body!.faces[0]!.detection_id;
}

async function enroll(name: string, angle: string) {
  const { body } = await api.client.enrollFace({ body: { name, file: photo(angle) } });
  return body!.identity_id;
}

async function queue(query: Query = {}) {
  const { body } = await api.client.listReviewQueue({ query });
  return body!.items.map(({ detection_id: id }) => id);
}

describe('GET /api/review', () => {
  test('shows faces with their identity and their suggestions', async () => {
    const anna = await enroll('Anna', '0');
    const id = await detect('50');
    const { body } = await api.client.listReviewQueue();
    expect(body).toEqual({
      items: [
        {
          detection_id: id,
          crop_url: expect.stringMatching(`^/media/crops/${id}/`),
          source_image_id: expect.any(Number),
          source_image_url: expect.stringMatching(/^\/media\/sources\//),
          confidence: 0.9,
          bbox: { x: 10, y: 20, w: 30, h: 40 },
          detected_at: expect.stringMatching(/T.*\.\d{3}Z$/),
          current_identity: { identity_id: anna, label: 'Anna' },
          suggested_matches: [
            { identity_id: anna, label: 'Anna', similarity: expect.closeTo(0.643, 3) },
          ],
        },
      ],
      next_cursor: null,
      has_more: false,
    });
  });

  test('suggests down to 0.2 below the match threshold, as it is now', async () => {
    await enroll('Anna', '0');
    const [near, far] = [await detect('65'), await detect('71')];
    expect(await queue()).toEqual([far, near]);
    expect(await queue({ has_suggestion: true })).toEqual([far, near]);
    await api.client.putSetting({ path: { key: 'face.match_threshold' }, body: { value: 0.6 } });
    expect(await queue({ has_suggestion: true })).toEqual([near]);
    await api.client.putSetting({ path: { key: 'face.match_threshold' }, body: { value: 0.7 } });
    expect(await queue({ has_suggestion: true })).toEqual([]);
    expect(await queue({ has_suggestion: false })).toEqual([far, near]);
  });

  test('suggests at most five, the most similar first', async () => {
    for (const [i, angle] of ['0', '5', '10', '100', '95', '90'].entries()) {
      await enroll(`Person ${i}`, angle);
    }
    await detect('50');
    const { body } = await api.client.listReviewQueue();
    const labels = body!.items[0]!.suggested_matches.map(({ label }) => label);
    expect(new Set(labels.slice(0, 2))).toEqual(new Set(['Person 2', 'Person 5']));
    expect(labels).toHaveLength(5);
  });

  test('is sorted by score, ties the newest first, and paged by <confidence>_<detection_id>', async () => {
    const ids: number[] = [];
    for (const text of ['10 0.7', '100 0.30000000000000004', '190 0.7', '280 1e-7']) {
      ids.push(await detect(text));
    }
    const [first, second, third, last] = ids;
    expect(await queue()).toEqual([third, first, second, last]);
    const { body: page } = await api.client.listReviewQueue({ query: { limit: 2 } });
    expect(page).toMatchObject({ next_cursor: `0.7_${first}`, has_more: true });
    const next = await api.client.listReviewQueue({
      query: { limit: 1, cursor: page!.next_cursor! },
    });
    expect(next.body).toMatchObject({
      items: [{ detection_id: second }],
      next_cursor: `0.30000000000000004_${second}`,
    });
    const rest = await api.client.listReviewQueue({ query: { cursor: next.body!.next_cursor! } });
    expect(rest.body).toMatchObject({ items: [{ detection_id: last }], next_cursor: null });
    expect(await queue({ cursor: `0.7_${third}`, limit: 1 })).toEqual([first]);
  });

  test('has the faces of a person in three orders, and pages through each of them', async () => {
    const [anna, bea] = [await enroll('Anna', '0'), await enroll('Bea', '180')];
    const [a, b] = [await detect('50 0.8'), await detect('60 0.9')];
    const [c, d] = [await detect('125 0.7'), await detect('270 0.6')];
    expect(await queue()).toEqual([b, a, c, d]);
    expect(await queue({ sort: 'newest' })).toEqual([d, c, b, a]);
    expect(await queue({ sort: 'similarity' })).toEqual([a, c, b, d]);
    expect(await queue({ identity_id: anna })).toEqual([b, a]);
    expect(await queue({ identity_id: anna, sort: 'similarity' })).toEqual([a, b]);
    expect(await queue({ identity_id: bea, sort: 'newest' })).toEqual([c]);
    expect(await queue({ identity_id: anna + 1000 })).toEqual([]);
    expect(await queue({ min_similarity: 0.55, sort: 'similarity' })).toEqual([a, c]);
    for (const query of [{ identity_id: anna }, { min_similarity: '0.55' }]) {
      const { body } = await api.client.countReviewQueue({ query });
      expect(body).toEqual({ count: 2 });
    }
    for (const sort of ['confidence', 'newest', 'similarity'] as const) {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const query = { sort, limit: 1, cursor };
        const { body } = await api.client.listReviewQueue({ query });
        seen.push(...body!.items.map(({ detection_id: id }) => id));
        cursor = body!.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(await queue({ sort }));
    }
  });

  test('refuses the cursor of another order', async () => {
    await detect('10');
    await detect('100');
    const { body } = await api.client.listReviewQueue({ query: { sort: 'newest', limit: 1 } });
    const query = { sort: 'similarity', cursor: body!.next_cursor! } as const;
    const { problem } = await api.client.listReviewQueue({ query });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
  });

  test('has no faces about which a person has decided', async () => {
    const id = await detect('10');
    await detect('100');
    await api.client.labelDetection({ path: { id }, body: { label: 'Anna' } });
    expect(await queue()).toHaveLength(1);
    expect(await queue()).not.toContain(id);
  });

  test.each([
    { cursor: '' },
    { cursor: '0.5' },
    { cursor: '2026-11-20T10:00:00.000Z_7' },
    { cursor: 'WyJ1bmtub3duIiwxXQ' },
    { cursor: '0.5_x' },
    { limit: 'ten' },
    { has_suggestion: 'perhaps' },
    { sort: 'oldest' },
    { identity_id: 'Anna' },
    { min_similarity: '1.1' },
  ])('refuses %j', async (query) => {
    const { problem } = await api.client.listReviewQueue({ query: query as never });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: Object.keys(query)[0] }] });
  });
});
