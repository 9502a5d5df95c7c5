import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import { mediaKey } from '@sightline/core/media/media-key';
import {
  AN_OBJECT,
  type SeededEnvironment,
  type SeededPhoto,
} from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeEach(async () => {
  store = await openStoreFixture();
  home = await store.environment();
});

afterEach(async () => {
  await store[Symbol.asyncDispose]();
});

async function strayFile(): Promise<string> {
  const key = mediaKey(home.scope.environmentId, 'crops', {
    digest: 'ab'.repeat(32),
    extension: 'jpg',
  });
  await store.media.put(key, Uint8Array.of(1, 2, 3));
  return key;
}

describe('collectOrphans', () => {
  test('removes files without row that are old enough, and no other', async () => {
    const { source, ids } = await home.photo([{}, AN_OBJECT]);
    const stray = await strayFile();
    expect(await collectOrphans(store, 60_000)).toBe(0);
    expect(await store.files(home.scope)).toHaveLength(4);
    expect(await collectOrphans(store, 0)).toBe(1);
    const files = await store.files(home.scope);
    expect(files).not.toContain(stray);
    const crops = await Promise.all(ids.map(async (id) => (await home.detection(id))!.cropKey));
    expect(files.sort()).toEqual([source.mediaKey, ...crops].sort());
  });

  test('removes more files than one query holds', async () => {
    for (let i = 0; i < 26; i++) await Promise.all(Array.from({ length: 20 }, strayFile));
    const { source } = await home.photo([]);
    expect(await collectOrphans(store, 0)).toBe(520);
    expect(await store.files(home.scope)).toEqual([source.mediaKey]);
  });

  test('stops on abort', async () => {
    await strayFile();
    const stop = AbortSignal.abort(new Error('stop'));
    await expect(collectOrphans(store, 0, stop)).rejects.toThrow('stop');
    expect(await store.files(home.scope)).toHaveLength(1);
  });
});

describe('checkConsistency', () => {
  test('reports a key that no file can have', async () => {
    const { ids } = await home.photo([{}]);
    const key = `${home.scope.environmentId}/crops/../x`;
    await store.query('UPDATE detections SET crop_key = $2 WHERE id = $1', [ids[0], key]);
    expect(await check()).toEqual([`The key "${key}" of a row is not a media key.`]);
  });

  const check = (options: Parameters<typeof checkConsistency>[1] = {}) =>
    checkConsistency(store, options);

  test('finds nothing in consistent stores', async () => {
    const ann = await home.identity('Ann');
    await home.photo([{ identityId: ann }, AN_OBJECT]);
    await home.photo([]);
    expect(await check({ deep: true, orphanAgeMs: 0 })).toEqual([]);
  });

  test('reports rows without their file', async () => {
    const { source, ids } = await home.photo([{}]);
    const { cropKey } = (await home.detection(ids[0]!))!;
    await store.media.remove([source.mediaKey, cropKey]);
    expect((await check()).toSorted()).toEqual(
      [source.mediaKey, cropKey]
        .toSorted()
        .map((key) => `The file ${key} of a row does not exist.`),
    );
  });

  test('reports old files without a row, and young ones on request', async () => {
    const stray = await strayFile();
    expect(await check()).toEqual([]);
    expect(await check({ orphanAgeMs: 0 })).toEqual([
      expect.stringMatching(
        new RegExp(`^The file ${stray} \\(3 bytes, 0 min old\\) belongs to no row`),
      ),
    ]);
  });

  test('reports files with other bytes when it reads them', async () => {
    const { source } = await home.photo([]);
    await writeFile(join(store.mediaFolder, 'objects', source.mediaKey), 'something else');
    expect(await check()).toEqual([]);
    expect(await check({ deep: true })).toEqual([
      `The bytes of the file ${source.mediaKey} are not those that were stored.`,
    ]);
  });

  test('reports rows that contradict each other', async () => {
    const ann = await home.identity('Ann');
    await home.photo([{ identityId: ann }]);
    await store.query('UPDATE counter_deltas SET delta = delta + 1 WHERE counter = $1', [
      'identity.detections',
    ]);
    expect(await check()).toEqual([expect.stringContaining('identity.detections')]);
  });

  test('reports no concurrent changes', async () => {
    const photos: SeededPhoto[] = [];
    for (let i = 0; i < 30; i++) photos.push(await home.photo([{}]));
    let isChanging = true;
    const change = async () => {
      for (const { ids } of photos) {
        await deleteDetections(store, { scope: home.scope, ids });
        await home.photo([{}, {}]);
      }
      isChanging = false;
    };
    const findings: string[] = [];
    const keepChecking = async () => {
      while (isChanging) findings.push(...(await check({ deep: true })));
    };
    await Promise.all([change(), keepChecking()]);
    expect(findings).toEqual([]);
    expect(await check({ orphanAgeMs: 0 })).toEqual([]);
  });
});
