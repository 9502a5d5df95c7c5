import { expect, test } from '@jest/globals';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { photo } from '../../support/fixtures/photo.ts';
import { shared } from '../../support/fixtures/shared.ts';
import { describeWithShared } from '../../support/gates/describe-with-shared.ts';
import { testInSoak } from '../../support/gates/soak.ts';
import { describeWithMinio } from '../../support/servers/minio.ts';
import { describeInCompositions } from '../../support/services/compositions.ts';
import { startPlatform } from '../../support/services/running-platform.ts';
import { startStandalone } from '../../support/services/running-standalone.ts';
import { type Album, liveThroughLibrary } from './live-through-library.ts';

describeInCompositions('the life of a library', (takeEnvironment) => {
  test('on drawn photos', async () => {
    await using service = await takeEnvironment();
    await liveThroughLibrary(service, {
      berta: [await drawPhoto({ faces: ['Berta'] }), await drawPhoto({ faces: ['Berta 2'] })],
      clara: await drawPhoto({ faces: ['Clara'], objects: ['bus'] }),
      group: await drawPhoto({ faces: ['Gina', 'Hana', 'Ina', 'Jana'], objects: ['apple'] }),
    });
    expect(await service.inconsistencies()).toEqual([]);
  });
});

describeWithShared('the life of a library on real photos', () => {
  const settings = { SIGHTLINE_MODELS_DIR: shared('packs') };
  const openAlbum = async (): Promise<Album> => ({
    berta: [await photo('people/007_B.jpg'), await photo('people/008_B.jpg')],
    clara: await photo('people/009_C.jpg'),
    group: await photo('people/012_4.jpg'),
  });

  test('in one process', async () => {
    await using service = await startStandalone(settings);
    await liveThroughLibrary(service, await openAlbum());
    expect(await service.inconsistencies()).toEqual([]);
  });

  describeWithMinio('as several processes', () => {
    testInSoak('on shared stores', async () => {
      await using service = await startPlatform({ settings });
      await liveThroughLibrary(service, await openAlbum());
      expect(await service.inconsistencies()).toEqual([]);
    });
  });
});
