import { expect, test } from '@jest/globals';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { makeStarters } from '@sightline/test/support/fixtures/open-starter';
import { describeWithStarter } from '@sightline/test/support/fixtures/starter-cache';
import { STARTER_CACHE } from '@sightline/test/support/fixtures/starter-cache-folder';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { STARTER_PACKS } from '../starter/starter-packs.ts';
import { describeInstalled, starterRevision } from './installed-starter.ts';

const STARTERS = Object.values(STARTER_PACKS);

describeWithStarter('starter packs that are installed', () => {
  test('are known by the revision that they have when they are loaded', async () => {
    const made = await makeStarters();
    expect(STARTERS.map(starterRevision)).toEqual(made.map(({ pack }) => pack!.revision));
    const described = await Promise.all(
      STARTERS.map((starter) => describeInstalled(starter, new CacheFolder(STARTER_CACHE))),
    );
    expect(described).toEqual(made.map(({ pack }) => describePack(pack!)));
  });
});

test('a starter pack that is not in the cache is not described', async () => {
  await using folder = await temporaryFolder();
  expect(await describeInstalled(STARTERS[0]!, new CacheFolder(folder.path))).toBeNull();
});
