import { eventually } from '../support/waits/eventually.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import type { SharedService } from '../support/services/shared-service.ts';

describeInCompositions('people who were strangers', (takeEnvironment) => {
  let service: SharedService;
  let client: Client;

  beforeAll(async () => {
    service = await takeEnvironment();
    client = service.client;
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  async function stranger(name: string): Promise<number> {
    const file = await freshPhoto({ faces: [name] });
    return ok(await client.detectFaces({ body: { file } })).faces[0]!.detection_id;
  }

  async function strangers(...names: readonly string[]): Promise<readonly number[]> {
    const ids: number[] = [];
    for (const name of names) ids.push(await stranger(name));
    return ids;
  }

  async function groups(): Promise<readonly (readonly number[])[]> {
    const { clusters } = ok(await client.listClusters());
    return clusters.map(({ items }) => items.map(({ detection_id: id }) => id).sort(ascending));
  }

  /** The labels that are suggested for each of the faces. */
  async function suggested(ids: readonly number[]): Promise<readonly (readonly string[])[]> {
    const { items } = ok(await client.listReviewQueue({ query: { limit: 200 } }));
    const labels = new Map(
      items.map((face) => [face.detection_id, face.suggested_matches.map(({ label }) => label)]),
    );
    return ids.map((id) => labels.get(id) ?? []);
  }

  test('form groups, are named in one request, and suggested for their other faces', async () => {
    const [ada, ...adas] = await strangers('Ada', 'Ada 2', 'Ada 3', 'Ada 4');
    const [bo, ...bos] = await strangers('Bo', 'Bo 2', 'Bo 3');
    await stranger('Cy');
    await eventually(groups, [
      [ada!, ...adas],
      [bo!, ...bos],
    ]);
    expect(ok(await client.countClusters())).toMatchObject({ count: 2 });

    const items = [
      { detection_id: ada!, label: 'Ada' },
      { detection_id: bo!, label: 'Bo' },
    ];
    ok(await client.labelDetections({ body: { items } }));
    expect(await groups()).toEqual([adas, bos]);
    await eventually(
      async () => (await suggested(adas)).map(([best]) => best),
      adas.map(() => 'Ada'),
    );
    await eventually(
      async () => (await suggested(bos)).map(([best]) => best),
      bos.map(() => 'Bo'),
    );

    const { items: references } = ok(await client.listFaceEmbeddings());
    const own = references.find(({ detection_id: id }) => id === ada)!;
    ok(await client.deleteFaceEmbedding({ path: { id: own.id } }));
    await eventually(async () => (await suggested(adas)).flat().includes('Ada'), false);
    expect((await suggested(bos)).map(([best]) => best)).toEqual(bos.map(() => 'Bo'));
  });

  test('show a face that was named wrongly', async () => {
    const [first, second, wrong] = await strangers('Eve', 'Eve 2', 'Flo');
    const items = [first!, second!, wrong!].map((id) => ({ detection_id: id, label: 'Eve' }));
    ok(await client.labelDetections({ body: { items } }));
    const mismatches = async () =>
      ok(await client.listMismatches()).items.map(({ detection_id: id }) => id);
    await eventually(async () => (await mismatches())[0], wrong);
    ok(await client.dismissMismatch({ path: { id: wrong! } }));
    expect(await mismatches()).not.toContain(wrong);
  });
});

const ascending = (a: number, b: number): number => a - b;
