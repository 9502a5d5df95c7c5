import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { startStandalone } from '../support/services/running-standalone.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-privacy-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('privacy', () => {
  test('libraries leave no identifier of the machine and no reports to be sent', async () => {
    const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
    await Promise.all([mkdir(home), mkdir(temporary)]);
    await using sightline = await startStandalone({
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      TMPDIR: temporary,
      // Overrides the variable that the test run itself sets.
      ORT_DISABLE_TELEMETRY: '0',
    });
    const file = await drawPhoto({ faces: ['Beatrice'], objects: ['bus'] });
    ok(await sightline.client.testImage({ body: { file } }));
    expect(await readdir(home, { recursive: true })).toEqual([]);
    expect(await readdir(temporary, { recursive: true })).toEqual([]);
  });
});
