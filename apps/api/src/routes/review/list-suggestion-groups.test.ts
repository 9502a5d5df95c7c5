import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator } from '../../testing/curator.ts';
import { facesInRow } from '../../testing/people.ts';

let api: ApiServer;
let curator: Curator;
let people: Readonly<Record<'anna' | 'berta', number>>;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  curator = new Curator(api);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
  const [anna, berta] = [await curator.enroll('Anna', '0'), await curator.enroll('Berta', '180')];
  people = { anna: anna.identity, berta: berta.identity };
});
afterAll(() => api[Symbol.asyncDispose]());

type Query = NonNullable<Parameters<typeof api.client.listSuggestionGroups>[0]>['query'];

async function groups(query: Query = {}) {
  return (await api.client.listSuggestionGroups({ query })).body!;
}

describe('GET /api/review/groups', () => {
  test('has the faces by their best suggestion, the largest group first', async () => {
    const [near, far] = await curator.detect('50 60');
    const [other] = await curator.detect('130');
    await curator.detect('90');
    const { items, as_of, ...page } = await groups();
    expect(items.map(({ identity_id: id, count }) => [id, count])).toEqual([
      [people.anna, 2],
      [people.berta, 1],
    ]);
    expect(items[0]).toMatchObject({
      label: 'Anna',
      thumbnail_url: expect.stringMatching(/^\/media\/crops\//),
      best: expect.closeTo(Math.cos((50 * Math.PI) / 180), 6),
      worst: expect.closeTo(0.5, 6),
    });
    const listOf = async (id: number) => {
      const query = { identity_id: id, sort: 'similarity' } as const;
      return (await api.client.listReviewQueue({ query })).body!.items;
    };
    expect(items[0]!.samples).toEqual(await listOf(people.anna));
    expect(items[0]!.samples.map(({ detection_id: id }) => id)).toEqual([near, far]);
    expect(items[1]!.samples).toEqual(await listOf(people.berta));
    expect(items[1]!.samples).toMatchObject([{ detection_id: other }]);
    expect(Date.parse(as_of)).toBeLessThanOrEqual(Date.now());
    expect(page).toEqual({ next_cursor: null, has_more: false });
  });

  test('has at most six samples, and as many faces as the queue with suggestions', async () => {
    await curator.detect('50 51 52 53 54 55 56 57');
    await curator.detect('125 126');
    const { items } = await groups();
    expect(items.map(({ count, samples }) => [count, samples.length])).toEqual([
      [8, 6],
      [2, 2],
    ]);
    const query = { has_suggestion: true };
    expect((await api.client.countReviewQueue({ query })).body).toEqual({ count: 10 });
    const near = await groups({ min_similarity: 0.6 });
    expect(near.items.map(({ count, worst }) => [count, worst >= 0.6])).toEqual([[4, true]]);
  });

  test('pages by size, and by id among groups of equal size', async () => {
    const { identity: clara } = await curator.enroll('Clara', '270');
    await curator.detect('50 51');
    await curator.detect('130');
    await curator.detect('230');
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await groups({ limit: 1, cursor });
      seen.push(...page.items.map(({ identity_id: id }) => id));
      cursor = page.next_cursor ?? undefined;
      expect(page.has_more).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(seen).toEqual([people.anna, clara, people.berta]);
    const { problem } = await api.client.listSuggestionGroups({ query: { cursor: 'nonsense' } });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
  });

  test('leaves out rejected pairs, decided faces and what others have', async () => {
    const [first, second] = await curator.detect('50 60');
    await api.client.dismissDetections({ body: { detection_ids: [first] } });
    await curator.confirm(second!, people.anna);
    await api.client.rejectFace({ path: { id: second! } });
    await api.client.unassignFace({ path: { id: second! } });
    expect((await groups()).items).toEqual([]);
    await curator.detect('50');
    const other = await api.clientOf({ environment: 'elsewhere' });
    expect((await other.listSuggestionGroups()).body).toMatchObject({ items: [] });
  });
});
