import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Stores, Transaction } from '@sightline/core/database/database';
import type { Identity, NewIdentity } from '@sightline/core/identities/identity';
import type { IdentityFilter, IdentityPosition } from '@sightline/core/identities/identity-store';
import type { Page } from '@sightline/core/store/page';
import type { Scope } from '@sightline/core/store/scope';
import fc from 'fast-check';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let scope: Scope;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ({ scope } = home);
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function write<T>(work: (tx: Transaction) => Promise<T>, within = scope): Promise<T> {
  return store.database.withEntities({ ...within, locks: [] }, work);
}

function read<T>(work: (stores: Stores) => Promise<T>, within = scope): Promise<T> {
  return store.database.withScope(within, work);
}

function insert(...added: NewIdentity[]): Promise<readonly Identity[]> {
  return write((tx) => tx.identities.insert(added));
}

const face = (label: string, externalRef: string | null = null): NewIdentity => ({
  type: 'face',
  label,
  externalRef,
});
const object = (label: string): NewIdentity => ({ type: 'object', label, externalRef: null });

const byLabel = (a: Identity, b: Identity): number =>
  Buffer.compare(Buffer.from(a.label), Buffer.from(b.label)) ||
  Buffer.compare(Buffer.from(a.type), Buffer.from(b.type)) ||
  a.id - b.id;

describe('identities', () => {
  test('are answered in the order of the request', async () => {
    const given = [face('Zoë', 'z'), object('apple'), face('apple'), face('Ada')];
    const stored = await insert(...given);
    expect(stored.map(({ type, label, externalRef }) => ({ type, label, externalRef }))).toEqual(
      given,
    );
    expect(stored[0]).toMatchObject({ coverDetectionId: null, createdAt: expect.any(Date) });
    expect(await insert()).toEqual([]);
    await read(async ({ identities }) => {
      expect(await identities.byId(stored[2]!.id)).toEqual(stored[2]);
      expect(await identities.byIds([stored[3]!.id, 999_999, stored[0]!.id])).toEqual([
        stored[0],
        stored[3],
      ]);
      expect(await identities.byIds([])).toEqual([]);
      expect(await identities.byLabels('face', ['apple', 'Ada', 'nobody'])).toEqual(
        expect.arrayContaining([stored[2], stored[3]]),
      );
      expect(await identities.byLabels('object', ['apple', 'Ada'])).toEqual([stored[1]]);
      expect(await identities.byLabels('face', [])).toEqual([]);
    });
  });

  test('of another environment are not found, and their labels are free here', async () => {
    const other = await store.environment();
    const id = await other.identity('Ada');
    await read(async ({ identities }) => {
      expect(await identities.byId(id)).toBeNull();
      expect(await identities.byLabels('face', ['Ada'])).toEqual([]);
      expect(await identities.details(id, null)).toBeNull();
      expect(await identities.list({}, { after: null, limit: null })).toEqual({
        items: [],
        hasMore: false,
      });
    });
    await home.identity('Ada');
    await write((tx) => tx.identities.setExternalRef(id, 'stolen'));
    await write((tx) => tx.identities.delete(id));
    await read(
      async ({ identities }) => expect((await identities.byId(id))?.externalRef).toBeNull(),
      other.scope,
    );
  });

  test('have labels that differ by a letter of another case', async () => {
    await insert(face('ada'), face('Ada'));
    await expect(insert(face('Ada'))).rejects.toThrow();
  });

  test('may be changed in the transaction that creates them', async () => {
    const identity = await write(async (tx) => {
      const [made] = await tx.identities.insert([face('new')]);
      await tx.identities.setExternalRef(made!.id, 'at once');
      return tx.identities.byId(made!.id);
    });
    expect(identity?.externalRef).toBe('at once');
  });

  test('are not found after their deletion', async () => {
    const id = await home.identity('Ada');
    await write((tx) => tx.identities.delete(id));
    expect(await read(({ identities }) => identities.byId(id))).toBeNull();
    await home.identity('Ada');
  });

  test('cannot be deleted while they have detections', async () => {
    const id = await home.identity('Ada');
    await home.photo([{ identityId: id }]);
    await expect(write((tx) => tx.identities.delete(id))).rejects.toThrow();
  });
});

describe('the list', () => {
  const LABELS = ['a', 'B', 'Z', 'z', 'é', 'É', 'ß', '🙂', 'Ω', '𝔘', 'a b', 'a-b', '\uFFFD'];

  async function pages(filter: IdentityFilter, limit: number): Promise<Identity[]> {
    const items: Identity[] = [];
    for (let after: IdentityPosition | null = null, hasMore = true; hasMore;) {
      const position: IdentityPosition | null = after;
      const page: Page<Identity> = await read(({ identities }) =>
        identities.list(filter, { after: position, limit }),
      );
      expect(page.items.length).toBeLessThanOrEqual(limit);
      items.push(...page.items);
      after = page.items.at(-1) ?? null;
      ({ hasMore } = page);
    }
    return items;
  }

  test('is in the order of the labels as bytes, and in pages the same', async () => {
    const all = await insert(...LABELS.flatMap((label) => [face(label), object(label)]));
    const sorted = [...all].sort(byLabel);
    const whole = await read(({ identities }) => identities.list({}, { after: null, limit: null }));
    expect(whole).toEqual({ items: sorted, hasMore: false });
    for (const limit of [1, 2, 25, 26, 27]) expect(await pages({}, limit)).toEqual(sorted);
    const faces = sorted.filter(({ type }) => type === 'face');
    expect(await pages({ type: 'face' }, 5)).toEqual(faces);
    const ids = await read(({ identities }) => identities.ids({ type: 'face' }, faces[4]!));
    expect(ids).toEqual(faces.slice(5).map(({ id }) => id));
  });

  test('has those of an external reference', async () => {
    const [one] = await insert(face('one', 'ref'), face('two', 'other'), face('three'));
    const list = (filter: IdentityFilter) =>
      read(({ identities }) => identities.list(filter, { after: null, limit: null }));
    expect((await list({ externalRef: 'ref' })).items).toEqual([one]);
    expect((await list({ externalRef: 'ref', type: 'object' })).items).toEqual([]);
    expect((await list({ externalRef: '' })).items).toEqual([]);
  });

  test('finds part of a name in any case, and no similar names', async () => {
    await insert(
      face('Ada Lovelace'),
      face('ADAM Driver'),
      face('Grace Hopper'),
      face('Jürgen Müller'),
      face('100% Wolf'),
      object('lovelock'),
    );
    const names = async (filter: IdentityFilter) =>
      (
        await read(({ identities }) => identities.list(filter, { after: null, limit: null }))
      ).items.map(({ label }) => label);
    expect(await names({ name: 'lovelace' })).toEqual(['Ada Lovelace']);
    expect(await names({ name: 'ovela' })).toEqual(['Ada Lovelace']);
    expect(await names({ name: 'loveloce' })).toEqual([]);
    expect(await names({ name: 'Ada Lovelace Byron' })).toEqual([]);
    expect(await names({ name: 'ada' })).toEqual(['ADAM Driver', 'Ada Lovelace']);
    expect(await names({ name: 'MÜLLER' })).toEqual(['Jürgen Müller']);
    expect(await names({ name: '100%' })).toEqual(['100% Wolf']);
    expect(await names({ name: 'love', type: 'object' })).toEqual(['lovelock']);
    expect(await names({ name: 'a%r' })).toEqual([]);
    expect(await names({ name: 'xyzzy' })).toEqual([]);
    const other = (await store.environment()).scope;
    const foreign = await read(
      ({ identities }) => identities.list({ name: 'ada' }, { after: null, limit: null }),
      other,
    );
    expect(foreign.items).toEqual([]);
  });

  test('in pages has each match once', async () => {
    const label = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(label, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (labels, limit) => {
          ({ scope } = await store.environment());
          const all = await insert(...labels.map((text) => face(text)));
          expect(await pages({}, limit)).toEqual([...all].sort(byLabel));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('details', () => {
  const details = (id: number, modelId: number | null = store.faceModelId) =>
    read(({ identities }) => identities.details(id, modelId));

  const embedding = () => ({ modelId: store.faceModelId, vector: direction(0) });

  test('of an identity without detections are zero', async () => {
    const id = await home.identity('Ada');
    expect(await details(id)).toMatchObject({
      label: 'Ada',
      detectionCount: 0,
      embeddingCount: 0,
      pendingReviewCount: 0,
      thumbnail: null,
    });
    expect(await details(999_999)).toBeNull();
  });

  test('count detections, references of one model, and pending reviews', async () => {
    const id = await home.identity('Ada');
    const face = { identityId: id, reviewStatus: 'confirmed', embedding: embedding() } as const;
    const { ids } = await home.photo([
      { ...face, enrolledBy: [store.faceModelId] },
      { ...face, enrolledBy: [store.faceModelId] },
      { identityId: id },
      { identityId: id },
      {},
    ]);
    await store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [ids[3]]);
    expect(await details(id)).toMatchObject({
      detectionCount: 4,
      embeddingCount: 2,
      pendingReviewCount: 1,
    });
    expect(await details(id, store.retiredFaceModelId)).toMatchObject({ embeddingCount: 0 });
    expect(await details(id, null)).toMatchObject({ detectionCount: 4, embeddingCount: 0 });
    await store.maintenance.foldCounters();
    expect(await details(id)).toMatchObject({ detectionCount: 4, embeddingCount: 2 });
  });

  test('show the cover, else the newest confirmed detection', async () => {
    const id = await home.identity('Ada');
    const confirmed = { identityId: id, reviewStatus: 'confirmed' } as const;
    const { ids } = await home.photo([confirmed, confirmed, confirmed, { identityId: id }]);
    const at = (detectionId: number, minute: number) =>
      store.query('UPDATE detections SET detected_at = $2 WHERE id = $1', [
        detectionId,
        new Date(Date.UTC(2026, 0, 1, 0, minute)),
      ]);
    await Promise.all([at(ids[0]!, 1), at(ids[1]!, 3), at(ids[2]!, 3), at(ids[3]!, 9)]);
    const newest = (await home.detection(ids[2]!))!;
    expect((await details(id))?.thumbnail).toEqual({
      detectionId: newest.id,
      cropKey: newest.cropKey,
    });
    await write((tx) => tx.identities.setCover(id, ids[0]!));
    expect(await details(id)).toMatchObject({
      coverDetectionId: ids[0],
      thumbnail: { detectionId: ids[0] },
    });
    await write((tx) => tx.identities.setCover(id, null));
    expect((await details(id))?.thumbnail?.detectionId).toBe(newest.id);
  });
});
