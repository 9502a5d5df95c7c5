import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FollowedStore, followStore } from '@sightline/test/support/fixtures/followed-store';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;
let followed: FollowedStore;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  followed = await followStore(api.stores);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(async () => {
  await followed[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

async function label(angle: string, name: string) {
  const { body } = await api.client.detectFaces({ body: { file: photo(angle) } });
  const id = body!.faces[0]!.detection_id;
  await api.client.labelDetection({ path: { id }, body: { label: name } });
  return id;
}

type Query = NonNullable<Parameters<typeof api.client.listMismatches>[0]>['query'];

async function mismatches(query: Query = {}) {
  await followed.settle();
  const { body } = await api.client.listMismatches({ query });
  return body!.items.map(({ detection_id: id }) => id);
}

describe('GET /api/review/mismatches', () => {
  test('shows faces unlike the mean of the other references, the worst first', async () => {
    await label('0', 'Anna');
    await label('10', 'Anna');
    const odd = await label('100', 'Anna');
    await followed.settle();
    const { body } = await api.client.listMismatches();
    expect(body).toEqual({
      items: [
        {
          detection_id: odd,
          crop_url: expect.stringMatching(`^/media/crops/${odd}/`),
          source_image_id: expect.any(Number),
          confidence: 0.9,
          bbox: { x: 10, y: 20, w: 30, h: 40 },
          detected_at: expect.stringMatching(/T.*\.\d{3}Z$/),
          current_identity: { identity_id: expect.any(Number), label: 'Anna' },
          similarity: expect.closeTo(Math.cos((95 * Math.PI) / 180), 6),
        },
      ],
      next_cursor: null,
      has_more: false,
      count: 1,
      threshold: 0.5,
      as_of: expect.stringMatching(/T.*\.\d{3}Z$/),
    });
  });

  test('takes a threshold, and pages', async () => {
    const [a, b] = [await label('0', 'Anna'), await label('60', 'Anna')];
    const [c, d] = [await label('200', 'Bea'), await label('280', 'Bea')];
    // An identity's two references are compared with each other.
    expect(await mismatches({ threshold: 0.1 })).toEqual([]);
    expect(await mismatches({ threshold: '0.4' })).toEqual([c, d]);
    expect(await mismatches({ threshold: 1 })).toEqual([c, d, a, b]);
    const bea = await api.client.listIdentities({ query: { q: 'Bea' } });
    const ofBea = { threshold: 1, identity_id: bea.body!.items[0]!.id };
    expect(await mismatches(ofBea)).toEqual([c, d]);
    const { body: counted } = await api.client.listMismatches({ query: { ...ofBea, limit: 1 } });
    expect(counted).toMatchObject({ count: 2, has_more: true });
    expect(await mismatches({ threshold: 1, identity_id: 999_999 })).toEqual([]);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { threshold: 1, limit: 1, cursor };
      const { body } = await api.client.listMismatches({ query });
      expect(body).toMatchObject({ count: 4, threshold: 1 });
      seen.push(...body!.items.map(({ detection_id: id }) => id));
      cursor = body!.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([c, d, a, b]);
  });

  test('follows what is changed at once', async () => {
    await label('0', 'Anna');
    await label('1', 'Anna');
    const odd = await label('100', 'Anna');
    expect(await mismatches()).toEqual([odd]);
    await api.client.labelDetection({ path: { id: odd }, body: { label: 'Bea' } });
    // The decision holds at once, before the follower has compared anything again.
    const { body } = await api.client.listMismatches();
    expect(body).toMatchObject({ items: [], count: 0 });
    expect(await mismatches()).toEqual([]);
  });

  test('has no face that is alone', async () => {
    await label('0', 'Anna');
    await label('90', 'Bea');
    expect(await mismatches({ threshold: 1 })).toEqual([]);
  });

  test.each([
    { threshold: 1.1 },
    { threshold: -1.1 },
    { threshold: 'NaN' },
    { cursor: '0.5_7' },
    { cursor: 'nonsense' },
    { limit: 1.5 },
  ])('refuses %j', async (query) => {
    const { problem } = await api.client.listMismatches({ query: query });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: Object.keys(query)[0] }] });
  });
});
