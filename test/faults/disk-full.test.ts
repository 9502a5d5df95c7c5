import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ok } from '../support/services/ok.ts';
import { drawPhoto, people } from '../support/fixtures/draw-photo.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { fullness } from './full-disk.ts';

/** Enough for an empty database and some photos. */
const MEGABYTES = 160;

const disk = mountSmall(MEGABYTES);
const folder = disk?.path ?? null;
const describeOnFullDisk =
  folder !== null
    ? describe
    : (name: string, body: () => void) =>
        describe.skip(`${name} [skipped: this account cannot mount a small file system]`, body);

afterAll(() => disk?.[Symbol.dispose]());

describeOnFullDisk('a full disk', () => {
  test('refuses what it cannot keep, leaves nothing half-made, and goes on when there is room', async () => {
    await using service = await startStandalone({
      SIGHTLINE_DATA: join(folder!, 'data'),
    });
    const { client } = service;
    const known = ok(
      await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Beatrice'] }) } }),
    );
    const full = fullness(folder!);
    await full.begin();
    for (const count of [2, 3, 8]) {
      const refused = await client.detectFaces({
        body: { file: await drawPhoto({ faces: people(count) }) },
      });
      expect(refused.problem).toMatchObject({ status: 503, code: 'store_unavailable' });
      expect(refused.problem!.detail).toMatch(/full/);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(ok(await client.listImageIds()).ids).toEqual([known.source_image_id]);
    const { faces } = ok(
      await client.identifyFaces({ body: { file: await drawPhoto({ faces: ['Beatrice 2'] }) } }),
    );
    expect(faces).toHaveLength(1);

    await full.end();
    const file = await drawPhoto({ faces: ['Ada', 'Bea'] });
    const stored = ok(await untilAvailable(() => client.detectFaces({ body: { file } })));
    expect(stored.faces).toHaveLength(2);
    expect(await service.inconsistencies()).toEqual([]);
  });
});
