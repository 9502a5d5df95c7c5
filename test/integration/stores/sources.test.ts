import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewSourceImage, SourceImage } from '@sightline/core/sources/source-image';
import type { Scope } from '@sightline/core/store/scope';
import { sampleFace, sampleSource } from '../../support/fixtures/sample-records.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let scope: Scope;
let other: Scope;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  scope = (await store.environment()).scope;
  other = (await store.environment()).scope;
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const insert = (source: NewSourceImage, within = scope): Promise<SourceImage> =>
  store.database.withEntities({ ...within, locks: [] }, (tx) => tx.sources.insert(source));

describe('sources', () => {
  test('are read as they were stored', async () => {
    const given = sampleSource(scope, {
      sizeBytes: 2 ** 40,
      format: 'mpo',
      originalKey: 'an original',
      externalRef: 'ünïque "ref"',
    });
    const before = Date.now();
    const stored = await insert(given);
    expect(stored).toEqual({
      ...given,
      mediaBytes: undefined,
      takenAt: null,
      id: expect.any(Number),
      uploadedAt: expect.any(Date),
    });
    expect(Math.abs(stored.uploadedAt.getTime() - before)).toBeLessThan(60_000);
    await store.database.withScope(scope, async ({ sources }) => {
      expect(await sources.byId(stored.id)).toEqual(stored);
      expect(await sources.byDigest(given.digest)).toEqual(stored);
      expect(await sources.byIds([stored.id])).toEqual([stored]);
    });
  });

  test('are found once for each id, in ascending order, and only those that exist', async () => {
    const [a, b] = [await insert(sampleSource(scope)), await insert(sampleSource(scope))];
    const foreign = await insert(sampleSource(other), other);
    await store.database.withScope(scope, async ({ sources }) => {
      expect(await sources.byIds([b.id, foreign.id, a.id, 999_999, b.id])).toEqual([a, b]);
      expect(await sources.byIds([])).toEqual([]);
      expect(await sources.byId(foreign.id)).toBeNull();
      expect(await sources.byDigest(foreign.digest)).toBeNull();
      expect(await sources.byDigest('0'.repeat(64))).toBeNull();
    });
  });

  test('are unique by their bytes within an environment, and only there', async () => {
    const given = sampleSource(scope);
    await insert(given);
    const { mediaKey } = sampleSource(scope);
    await expect(insert({ ...given, mediaKey })).rejects.toThrow();
    const elsewhere = await insert({ ...given, mediaKey: sampleSource(other).mediaKey }, other);
    expect(elsewhere.digest).toBe(given.digest);
  });

  test('take another external reference', async () => {
    const source = await insert(sampleSource(scope));
    await store.database.withEntities({ ...scope, locks: [] }, (tx) =>
      tx.sources.setExternalRef(source, 'now it has one'),
    );
    await store.database.withScope(scope, async ({ sources }) =>
      expect(await sources.byId(source.id)).toEqual({ ...source, externalRef: 'now it has one' }),
    );
  });

  test('without detections are found, and can be deleted', async () => {
    const empty = await insert(sampleSource(scope));
    const full = await insert(sampleSource(scope));
    const foreign = await insert(sampleSource(other), other);
    await store.database.withEntities({ ...scope, locks: [] }, async (tx) => {
      await tx.detections.insert(full, [sampleFace(scope), sampleFace(scope)]);
      const ids = [full.id, foreign.id, empty.id, 999_999];
      expect(await tx.sources.withoutDetections(ids)).toEqual([empty.id]);
      expect(await tx.sources.withoutDetections([])).toEqual([]);
      await tx.sources.delete([]);
      await tx.sources.delete([empty, foreign]);
    });
    await store.database.withScope(scope, async ({ sources }) =>
      expect(await sources.byIds([empty.id, full.id])).toEqual([full]),
    );
    await store.database.withScope(other, async ({ sources }) =>
      expect(await sources.byId(foreign.id)).toEqual(foreign),
    );
  });

  test('that hold detections cannot be deleted', async () => {
    const source = await insert(sampleSource(scope));
    await store.database.withEntities({ ...scope, locks: [] }, (tx) =>
      tx.detections.insert(source, [sampleFace(scope)]),
    );
    const deletion = store.database.withEntities({ ...scope, locks: [] }, (tx) =>
      tx.sources.delete([source]),
    );
    await expect(deletion).rejects.toThrow();
  });
});
