import { expect, test } from '@jest/globals';
import { SIMILARITY_READER } from '@sightline/core/similarity/similarity-queue';
import { SimilarityKeeper } from '@sightline/background/worker/similarity-keeper';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';
import { openStoreFixture } from '../../support/fixtures/store-fixture.ts';

const { signal } = new AbortController();

test('a process that finds the reader filled reads all faces once when a rebuild is requested', async () => {
  await using store = await openStoreFixture();
  const logger = createLogger({ level: 'silent' });
  let scans = 0;
  /** Lets a new process check the reader. */
  const keep = async (times: number): Promise<number> => {
    const reader = { kind: 'own', name: 'another process' } as const;
    await using process = openPostgres(store.connection, { logger, reader });
    scans = 0;
    const lease = { hold: () => Promise.resolve(true), release: () => Promise.resolve() };
    for (let checks = 0; checks < times; checks++) {
      const keeper = new SimilarityKeeper({
        lease,
        changeLog: process.similarityLog,
        queue: {
          scanAll: () => {
            scans++;
            return Promise.resolve();
          },
        },
        follower: { next: () => Promise.resolve(false), forget: () => Promise.resolve() },
        logger,
      });
      await keeper.next(signal);
    }
    return scans;
  };
  expect(await keep(2)).toBe(1);
  expect(await keep(2)).toBe(0);
  await store.indexStatus.requestRebuild(SIMILARITY_READER);
  expect(await keep(3)).toBe(1);
  expect(await keep(1)).toBe(0);
});
