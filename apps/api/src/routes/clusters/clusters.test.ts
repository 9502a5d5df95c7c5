import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FollowedStore, followStore } from '@sightline/test/support/fixtures/followed-store';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, photo } from '../../testing/people.ts';

let api: ApiServer;
let followed: FollowedStore;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  followed = await followStore(api.stores);
});
beforeEach(async () => {
  await api.reset();
  // The name of a photo has the direction of its face, and the confidence in percent.
  api.analyzer.facesOf = (text) => {
    const [degrees, percent = 90] = text.split('_').map(Number);
    return [faceAt(degrees!, { confidence: percent / 100 })];
  };
});
afterAll(async () => {
  await followed[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

async function stranger(text: string): Promise<number> {
  const { body } = await api.client.detectFaces({ body: { file: photo(text) } });
  return body!.faces[0]!.detection_id;
}

async function strangers(...texts: readonly string[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const text of texts) ids.push(await stranger(text));
  await followed.settle();
  return ids;
}

type Query = NonNullable<Parameters<typeof api.client.listClusters>[0]>['query'];

async function list(query: Query = {}) {
  const { body } = await api.client.listClusters({ query });
  return body!;
}

async function groups(query: Query = {}): Promise<readonly (readonly number[])[]> {
  const { clusters } = await list(query);
  return clusters.map(({ items }) => items.map(({ detection_id: id }) => id));
}

describe('GET /api/clusters', () => {
  test('has the groups of strangers, the largest first, with the most certain faces first', async () => {
    const [a, b, c, d, e, alone] = await strangers('0', '5_95', '100', '105', '102', '200');
    const body = await list();
    expect(body).toEqual({
      clusters: [
        {
          cluster_id: expect.any(String),
          size: 3,
          items: [c, d, e].map((id) => ({
            detection_id: id,
            crop_url: expect.stringMatching(`^/media/crops/${id}/`),
            confidence: 0.9,
            detected_at: expect.stringMatching(/T.*\.\d{3}Z$/),
          })),
        },
        {
          cluster_id: expect.any(String),
          size: 2,
          items: [
            expect.objectContaining({ detection_id: b, confidence: 0.95 }),
            expect.objectContaining({ detection_id: a, confidence: 0.9 }),
          ],
        },
      ],
      total_unclustered: 1,
      threshold: 0.5,
      as_of: expect.stringMatching(/T.*\.\d{3}Z$/),
      next_cursor: null,
      has_more: false,
    });
    expect(alone).toBeGreaterThan(e!);
  });

  test('forms groups at any threshold', async () => {
    const [a, b, c] = await strangers('0', '30', '100');
    expect(await groups({ threshold: 0.9 })).toEqual([]);
    expect(await groups({ threshold: '0.8' })).toEqual([[a, b]]);
    expect(await groups({ threshold: -1 })).toEqual([[a, b, c]]);
    await api.client.putSetting({
      path: { key: 'face.cluster_threshold' },
      body: { value: 0.9 },
    });
    expect(await list()).toMatchObject({ clusters: [], threshold: 0.9, total_unclustered: 3 });
  });

  test('leaves out at once what was named, dismissed or deleted', async () => {
    const [a, b, c, d, e] = await strangers('0', '1', '2', '3', '4');
    await api.client.labelDetection({ path: { id: a! }, body: { label: 'Anna' } });
    await api.client.dismissDetections({ body: { detection_ids: [b!] } });
    expect(await groups()).toEqual([[c, d, e]]);
    await api.client.deleteDetection({ path: { id: c! } });
    const rest = await list();
    expect(rest.clusters).toMatchObject([{ size: 2 }]);
    expect(rest.total_unclustered).toBe(0);
    await api.client.deleteDetection({ path: { id: d! } });
    expect(await list()).toMatchObject({ clusters: [], total_unclustered: 1 });
    await followed.settle();
    expect(await list()).toMatchObject({ clusters: [], total_unclustered: 1 });
    expect(e).toBeGreaterThan(0);
  });

  test('keeps the id of a group while its faces stay the same', async () => {
    const [, , c] = await strangers('0', '1', '100', '101');
    const [first, second] = (await list()).clusters.map(({ cluster_id: id }) => id);
    await strangers('200', '2');
    const later = (await list()).clusters.map(({ cluster_id: id }) => id);
    expect(later[1]).toBe(second);
    expect(later[0]).not.toBe(first);
    await api.client.dismissDetections({ body: { detection_ids: [c!] } });
    expect((await list()).clusters.map(({ cluster_id: id }) => id)).toEqual([later[0]]);
  });

  test('pages through groups, and shows the first faces of each', async () => {
    const angles = [0, 60, 120, 180, 240];
    await strangers(...angles.flatMap((angle) => [`${angle}`, `${angle + 1}`, `${angle + 2}`]));
    const whole = await groups({ threshold: 0.9 });
    expect(whole).toHaveLength(5);
    const seen: (readonly number[])[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ threshold: 0.9, limit: 2, items: 2, cursor });
      for (const { size, items } of page.clusters) {
        expect(size).toBe(3);
        seen.push(items.map(({ detection_id: id }) => id));
      }
      cursor = page.next_cursor ?? undefined;
      expect(page.has_more).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(seen).toEqual(whole.map((ids) => ids.slice(0, 2)));
  });

  test('continues with the groups, the totals and the threshold of the first page', async () => {
    await strangers('0', '1', '60', '61', '200');
    const first = await list({ threshold: 0.9, limit: 1 });
    expect(first).toMatchObject({ total_unclustered: 1, threshold: 0.9, has_more: true });
    await strangers('2', '62', '300');
    const cursor = first.next_cursor!;
    const { total_unclustered, as_of } = first;
    const second = { total_unclustered, as_of, threshold: 0.9, has_more: false };
    expect(await list({ limit: 1, cursor })).toMatchObject({ ...second, clusters: [{ size: 2 }] });
    const { problem } = await api.client.listClusters({ query: { cursor, threshold: 0.8 } });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
  });

  test('has no data of a model without embeddings', async () => {
    expect(await list()).toMatchObject({ clusters: [], total_unclustered: 0, as_of: null });
  });

  test.each([
    { threshold: 1.1 },
    { threshold: -1.1 },
    { threshold: 'NaN' },
    { items: 0 },
    { items: 1001 },
    { cursor: 'nonsense' },
    { limit: 1.5 },
  ])('refuses %j', async (query) => {
    const { problem } = await api.client.listClusters({ query });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: Object.keys(query)[0] }] });
  });

  test('refuses a cursor of groups that are not stored any more', async () => {
    await strangers('0', '1');
    const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
    const ask = async (text: string) =>
      (await api.client.listClusters({ query: { cursor: cursorOf(text) } })).problem;
    const outdated = { status: 400, code: 'invalid_request' };
    const old = await ask('[999999,0,2,0.9,1,0,0.5,""]');
    expect(old).toMatchObject(outdated);
    // No group of the cursor is stored any more; others are no cursor of this list at all.
    for (const forged of [
      '[1,0,2,0.9,1,-7,0.5,""]',
      '[1,0,2,0.9,1,0,7.5,""]',
      '[1,2,0.9,1,0,0.5,""]',
    ]) {
      const problem = await ask(forged);
      expect(problem).toMatchObject(outdated);
      expect(problem!.detail).not.toBe(old!.detail);
    }
  });
});

test('GET /api/clusters/count counts the groups', async () => {
  await strangers('0', '1', '100', '101', '200');
  const { body } = await api.client.countClusters();
  expect(body).toEqual({ count: 2, threshold: 0.5 });
  const { body: none } = await api.client.countClusters({ query: { threshold: 1 } });
  expect(none).toEqual({ count: 0, threshold: 1 });
  const { problem } = await api.client.countClusters({ query: { threshold: 2 } });
  expect(problem).toMatchObject({ status: 400 });
});

describe('GET /api/clusters/{cluster_id}', () => {
  test('pages through the faces of a group, as it is now', async () => {
    const ids = await strangers('0', '1', '2', '3', '4');
    const { cluster_id } = (await list()).clusters[0]!;
    const { body } = await api.client.getCluster({ path: { cluster_id }, query: { limit: 3 } });
    expect(body).toMatchObject({ cluster_id, size: 5, has_more: true });
    expect(body!.items.map(({ detection_id: id }) => id)).toEqual(ids.slice(0, 3));
    await api.client.deleteDetection({ path: { id: ids[3]! } });
    const { body: rest } = await api.client.getCluster({
      path: { cluster_id },
      query: { cursor: body!.next_cursor! },
    });
    expect(rest).toMatchObject({ size: 4, has_more: false, next_cursor: null });
    expect(rest!.cluster_id).not.toBe(cluster_id);
    expect(rest!.items.map(({ detection_id: id }) => id)).toEqual([ids[4]]);
  });

  test('does not find a group whose first face has left it, nor what is no id of a group', async () => {
    const [a] = await strangers('0', '1');
    const { cluster_id } = (await list()).clusters[0]!;
    await api.client.labelDetection({ path: { id: a! }, body: { label: 'Anna' } });
    for (const id of [cluster_id, 'nonsense', Buffer.from('[1,"a",2,3]').toString('base64url')]) {
      const { problem } = await api.client.getCluster({ path: { cluster_id: id } });
      expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('shows nothing to another environment', async () => {
    await strangers('0', '1');
    const { cluster_id } = (await list()).clusters[0]!;
    const other = await api.clientOf({ environment: 'elsewhere' });
    expect((await other.getCluster({ path: { cluster_id } })).problem).toMatchObject({
      status: 404,
    });
    expect((await other.listClusters()).body).toMatchObject({ clusters: [] });
    expect((await other.countClusters()).body).toMatchObject({ count: 0 });
  });
});
