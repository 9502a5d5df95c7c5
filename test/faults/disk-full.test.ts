import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ok } from '../support/services/ok.ts';
import { untilHealthSays } from '../support/services/until-health-says.ts';
import { drawPhoto, people } from '../support/fixtures/draw-photo.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { fullness } from './full-disk.ts';

/** The size of the disk, enough for an empty database and some photos. */
const MEGABYTES = 160;

const disk = mountSmall(MEGABYTES);
const folder = disk?.path ?? null;
const describeOnFullDisk =
  folder !== null
    ? describe
    : (name: string, body: () => void) =>
        describe.skip(`${name} [skipped: this account cannot mount a small file system]`, body);

afterAll(() => disk?.[Symbol.dispose]());

const MEBIBYTE = 1024 * 1024;

describeOnFullDisk('a full disk', () => {
  let data: string;
  beforeEach(() => {
    data = join(folder!, 'data');
  });
  afterEach(() => rm(data, { recursive: true }));

  const start = (reserve: string) =>
    startStandalone({
      SIGHTLINE_DATA: data,
      SIGHTLINE_STORAGE_RESERVE: reserve,
    });

  /** @param sentence the reason in the answer */
  async function expectPhotosRefused({ client }: RunningStandalone, sentence: RegExp) {
    for (const count of [2, 3, 8]) {
      const refused = await client.detectFaces({
        body: { file: await drawPhoto({ faces: people(count) }) },
      });
      expect(refused.problem).toMatchObject({ status: 503, code: 'store_unavailable' });
      expect(refused.problem!.detail).toMatch(sentence);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    }
  }

  async function expectMatching({ client }: RunningStandalone) {
    const file = await drawPhoto({ faces: ['Beatrice 2'] });
    expect(ok(await client.identifyFaces({ body: { file } })).faces).toHaveLength(1);
  }

  async function expectRecovered(service: RunningStandalone) {
    const file = await drawPhoto({ faces: ['Ada', 'Bea'] });
    const stored = ok(await untilAvailable(() => service.client.detectFaces({ body: { file } })));
    expect(stored.faces).toHaveLength(2);
    expect(await service.inconsistencies()).toEqual([]);
  }

  test('refuses what it cannot keep, leaves nothing half-made, and goes on when there is room', async () => {
    await using service = await start('0');
    const { client } = service;
    const known = ok(
      await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Beatrice'] }) } }),
    );
    const full = fullness(folder!);
    await full.begin();
    await expectPhotosRefused(service, /full/);
    expect(ok(await client.listImageIds()).ids).toEqual([known.source_image_id]);
    await expectMatching(service);

    await full.end();
    await expectRecovered(service);
  });

  test('up to its reserve refuses photos, says so in health, and goes on with everything else', async () => {
    await using service = await start('32MiB');
    const { client } = service;
    const [kept, other] = [
      ok(await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Beatrice'] }) } })),
      ok(await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Clara'] }) } })),
    ];
    const full = fullness(folder!, 24 * MEBIBYTE);
    await full.begin();
    const sentence =
      /^The disk of the images is full up to its reserve: 2\d,\d{3},\d{3} bytes are free, the reserve is 33,554,432 bytes\.$/;
    // The service caches the free space, so health changes a little later.
    expect(await untilHealthSays(service, 'degraded')).toMatchObject({
      checks: { database: 'ok', media: 'failed' },
      reasons: [expect.stringMatching(sentence)],
    });
    await expectPhotosRefused(service, sentence);
    const enrolled = await client.enrollFace({
      body: { name: 'Clara', file: await drawPhoto({ faces: ['Ada', 'Bea'] }) },
    });
    expect(enrolled.problem).toMatchObject({ status: 503, code: 'store_unavailable' });
    await expectMatching(service);
    expect((await service.fetch(kept.source_image_url)).status).toBe(200);
    const { detection_id } = kept.faces[0]!;
    ok(await client.labelDetection({ path: { id: detection_id }, body: { label: 'Beatrice' } }));
    ok(await client.deleteImage({ path: { id: other.source_image_id } }));
    expect(ok(await client.listImageIds()).ids).toEqual([kept.source_image_id]);

    await full.end();
    await expectRecovered(service);
    expect(await untilHealthSays(service, 'ok')).toMatchObject({ reasons: [] });
  });
});
