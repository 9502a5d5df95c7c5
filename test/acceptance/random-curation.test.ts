import { expect, test } from '@jest/globals';
import { actAtRandom } from '../support/fixtures/act-at-random.ts';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { seededRandom } from '../support/fixtures/seeded-random.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { describeWithQdrant } from '../support/servers/qdrant.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { type SharedService, sharedService } from '../support/services/shared-service.ts';
import { IS_SOAK } from '../support/gates/soak.ts';

const SEEDS = IS_SOAK ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
const OPERATIONS = IS_SOAK ? 125 : 20;
const PHOTOS = [['Ada', 'Bo', 'Cy'], ['Ada 2'], ['Ada 3', 'Di'], ['Cy 2'], ['Cy 3'], ['Cy 4']];

// The followers of the platform change suggestions and groups between two requests, so a run cannot be repeated exactly.
describeWithMinio('random curation of a platform', () => {
  describeWithQdrant('with a Qdrant', () => {
    test.each(SEEDS)('is taken back in reverse order (seed %i)', async (seed) => {
      await using service = await sharedService('platform-with-qdrant');
      await plantLibrary(service);
      const operations = await curate(service, seededRandom(seed));
      expect(operations.length).toBeGreaterThan(OPERATIONS / 3);
      for (const { id, before } of operations.reverse()) {
        const answer = await service.client.undoOperation({ path: { id }, body: {} });
        expect(okWith(200, answer)).toMatchObject({ skipped: [] });
        expect(await service.decidedRows()).toEqual(before);
      }
      expect(await service.inconsistencies()).toEqual([]);
    });
  });
});

async function plantLibrary({ client }: SharedService): Promise<void> {
  for (const name of ['Anna', 'Berta'])
    ok(await client.enrollFace({ body: { name, file: await freshPhoto({ faces: [name] }) } }));
  for (const faces of PHOTOS)
    ok(await client.detectFaces({ body: { file: await freshPhoto({ faces }) } }));
}

/** Sends random requests, and returns those that changed something, with the rows before. */
async function curate(service: SharedService, random: () => number) {
  const newPhoto = (label: string) =>
    freshPhoto({ faces: [`${label} ${1 + Math.floor(random() * 5)}`] });
  const operations: { readonly id: number; readonly before: unknown }[] = [];
  for (let n = 0; n < OPERATIONS; n++) {
    const before = await service.decidedRows();
    const { status, headers } = await actAtRandom(service.client, { random, newPhoto });
    expect(status).toBeLessThan(500);
    const id = Number(headers.get('x-operation-id'));
    if (id > 0) operations.push({ id, before });
    else expect(await service.decidedRows()).toEqual(before);
  }
  return operations;
}
