import { expect } from '@jest/globals';
import { ok } from '../support/services/ok.ts';
import { photo } from '../support/fixtures/photo.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import type { Situation } from './situation.ts';

/** What was acknowledged is there, and nothing that was refused. */
export async function expectNoMore({ service, acknowledged }: Situation): Promise<void> {
  const { client } = service;
  const images = new Set(acknowledged.images);
  for (const id of acknowledged.references) {
    const reference = await untilAvailable(() => client.getFaceEmbedding({ path: { id } }));
    images.add(ok(reference).source_image_id);
  }
  const { ids } = ok(await untilAvailable(() => client.listImageIds()));
  expect(ids.toSorted(byNumber)).toEqual([...images].toSorted(byNumber));
}

/** Everything that has a row has its files, and nothing contradicts anything else. */
export async function expectWhole(situation: Situation): Promise<void> {
  const { service } = situation;
  const { client } = service;
  await expectNoMore(situation);
  const { ids } = ok(await untilAvailable(() => client.listImageIds()));
  for (const id of ids) {
    const image = ok(await untilAvailable(() => client.getImageFaces({ path: { id } })));
    const urls = [image.source_image_url, ...image.faces.map(({ crop_url }) => crop_url)];
    for (const url of urls) {
      const response = await untilAvailable(() => service.fetch(url));
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect({ url, status: response.status }).toEqual({ url, status: 200 });
      expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
    }
  }
  expect(await service.inconsistencies()).toEqual([]);
}

/** Who is known is recognised in another photo. */
export async function expectMatched({ service }: Situation): Promise<void> {
  const file = await photo('people/008_B.jpg');
  const { faces } = ok(
    await untilAvailable(() => service.client.identifyFaces({ body: { file } })),
  );
  expect(faces).toHaveLength(1);
  expect(faces[0]).toMatchObject({ label: 'Beatrice' });
}

function byNumber(one: number, other: number): number {
  return one - other;
}
