import { expect } from '@jest/globals';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import type { FaultFixture } from './fault-fixture.ts';

/** Expects that all acknowledged images are stored, and no refused ones. */
export async function expectNoMore({ service, acknowledged }: FaultFixture): Promise<void> {
  const { client } = service;
  const images = new Set(acknowledged.images);
  for (const id of acknowledged.references) {
    const reference = await untilAvailable(() => client.getFaceEmbedding({ path: { id } }));
    images.add(ok(reference).source_image_id);
  }
  const { ids } = ok(await untilAvailable(() => client.listImageIds()));
  expect(ids.toSorted(byNumber)).toEqual([...images].toSorted(byNumber));
}

/** Expects that all rows have their files. */
export async function expectWhole(fixture: FaultFixture): Promise<void> {
  const { service } = fixture;
  const { client } = service;
  await expectNoMore(fixture);
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
}

/** Reads the people of the library and the fixture's image. */
export async function readLibrary({ service, image }: FaultFixture): Promise<readonly unknown[]> {
  const { client } = service;
  const answers = [
    await untilAvailable(() => client.listIdentitySummaries({})),
    await untilAvailable(() => client.getImageFaces({ path: { id: image.id } })),
    await untilAvailable(() => client.listFaceEmbeddings({})),
    await untilAvailable(() => client.listReviewQueue({})),
  ];
  return answers.map((answer) => ok<unknown>(answer));
}

/** Expects no contradictions. It runs the `sightline` command, so tests call it once, after all faults. */
export async function expectConsistent({ service }: FaultFixture): Promise<void> {
  expect(await service.inconsistencies()).toEqual([]);
}

/** Expects that the enrolled person is recognized in another photo. */
export async function expectMatched({ service }: FaultFixture): Promise<void> {
  const file = await drawPhoto({ faces: ['Beatrice 2'] });
  const { faces } = ok(
    await untilAvailable(() => service.client.identifyFaces({ body: { file } })),
  );
  expect(faces).toHaveLength(1);
  expect(faces[0]).toMatchObject({ label: 'Beatrice' });
}

function byNumber(one: number, other: number): number {
  return one - other;
}
