import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Database, Stores } from '../database/database.ts';
import { FACE_MODEL } from '../models/testing/sample-models.ts';
import type { FoundPoint, GalleryReference } from '../references/gallery-store.ts';
import type { IdentityHit, VectorIndex, VectorQuery } from '../vectors/vector-index.ts';
import { proposeIdentities } from './propose-identities.ts';
import { TailCache } from './tail-cache.ts';

const X = Float32Array.of(1, 0);
const Y = Float32Array.of(0, 1);

/** The references in the database, by id. */
let references: Map<number, GalleryReference>;
let tail: readonly number[];
let mergedInto: Map<number, number>;
let isBehind: boolean;
/** For each read of references, the requested ids. */
let reads: (readonly number[])[];
/** The references in the index, nearest first. Some of them may not exist anymore. */
let indexed: readonly IdentityHit[];
let limits: number[];

beforeEach(() => {
  references = new Map();
  tail = [];
  mergedInto = new Map();
  isBehind = false;
  reads = [];
  indexed = [];
  limits = [];
});

function reference(id: number, identityId: number, vector = X): GalleryReference {
  return { id, identityId, detectionId: id, vector };
}

function refer(...added: readonly GalleryReference[]): void {
  for (const one of added) references.set(one.id, one);
}

const gallery = {
  isBehind: () => Promise.resolve(isBehind),
  tail: (_: number, __: string, limit: number) =>
    Promise.resolve(
      tail
        .slice(0, limit)
        .map((id) => ({ pointId: id, identityId: references.get(id)?.identityId ?? 1 })),
    ),
  references: (_: number, ids: readonly number[]) => {
    reads.push(ids);
    return Promise.resolve(ids.flatMap((id) => references.get(id) ?? []));
  },
  live: (_: number, __: string, points: readonly FoundPoint[]) => {
    const known = new Set([...references.values()].map(({ identityId }) => identityId));
    const found = points.map(
      ({ identityId }) => [identityId, mergedInto.get(identityId) ?? identityId] as const,
    );
    return Promise.resolve(new Map(found.filter(([, id]) => known.has(id))));
  },
  referencesOf: (_: number, ids: readonly number[]) =>
    Promise.resolve([...references.values()].filter(({ identityId }) => ids.includes(identityId))),
};

const database = {
  withScope: (_, read) => read({ gallery } as unknown as Stores),
} as Database;

const vectors = {
  searchIdentities: (_, { limit, vectors: queries }: VectorQuery) => {
    limits.push(limit);
    return Promise.resolve(queries.map(() => indexed.slice(0, limit)));
  },
} as Partial<VectorIndex> as VectorIndex;

interface Parts {
  readonly tails?: TailCache;
  readonly index?: VectorIndex;
}

function propose(
  limit: number,
  queries = [X],
  { tails = new TailCache(), index = vectors }: Parts = {},
) {
  return proposeIdentities(
    { database, vectors: index, tails },
    {
      scope: { environmentId: 1 },
      model: { ...FACE_MODEL, id: 7 },
      strategy: 'best_match',
      vectors: queries,
      limit,
    },
  );
}

const hit = (pointId: number, identityId: number): IdentityHit => ({
  pointId,
  identityId,
  cosine: 1,
});

describe('proposals', () => {
  test('unite the tail with the index', async () => {
    refer(reference(1, 10), reference(2, 20, Y), reference(3, 30));
    tail = [1, 2];
    indexed = [hit(3, 30)];
    expect(await propose(1)).toMatchObject({
      identityIds: [10, 30],
      closest: [
        { identityId: 10, pointId: 1 },
        { identityId: 30, pointId: 3 },
      ],
    });
    expect(await propose(2)).toMatchObject({ identityIds: [10, 20, 30] });
  });

  test('leave out references of the tail whose vectors cannot be compared', async () => {
    const damaged = [Float32Array.of(1), new Float32Array(2), Float32Array.of(NaN, 1)];
    refer(reference(1, 10), ...damaged.map((vector, at) => reference(2 + at, 20, vector)));
    tail = [1, 2, 3, 4];
    expect(await propose(5)).toMatchObject({ identityIds: [10] });
  });

  test('are those of all faces, each once', async () => {
    refer(reference(1, 10), reference(2, 20, Y));
    tail = [1, 2];
    expect(await propose(1, [X, Y, X])).toMatchObject({ identityIds: [10, 20] });
  });

  test('for no faces read nothing', async () => {
    isBehind = true;
    expect(await propose(5, [])).toMatchObject({ identityIds: [], closest: [] });
    expect(limits).toEqual([]);
  });

  test('come from one search if the index has enough live identities', async () => {
    refer(reference(1, 10), reference(2, 20));
    indexed = [hit(1, 10), hit(2, 20)];
    await propose(2);
    expect(limits).toEqual([2]);
  });

  test('come from further searches while the index has deleted identities', async () => {
    const gone = Array.from({ length: 30 }, (_, i) => hit(100 + i, 100 + i));
    refer(reference(3, 30), reference(4, 40), reference(5, 50));
    indexed = [...gone, hit(3, 30), hit(4, 40), hit(5, 50)];
    expect(await propose(2)).toMatchObject({ identityIds: [30, 40] });
    expect(limits).toEqual([2, 8, 32]);
  });

  test('count an identity that merges and its target as one', async () => {
    refer(reference(1, 20), reference(2, 20), reference(3, 30));
    mergedInto = new Map([[10, 20]]);
    indexed = [hit(1, 10), hit(2, 20), hit(3, 30)];
    expect(await propose(2)).toMatchObject({ identityIds: [10, 20, 30] });
    expect(limits).toEqual([2, 8]);
  });

  test('group the tail by the identities of now', async () => {
    refer(reference(1, 10), reference(2, 20), reference(3, 30, Y));
    const tails = new TailCache();
    tail = [1, 2, 3];
    await propose(2, [X], { tails });
    refer(reference(1, 20));
    expect(await propose(2, [X], { tails })).toMatchObject({ identityIds: [20, 30] });
  });

  test('are all that live, if the index ends before there are enough', async () => {
    refer(reference(3, 30));
    indexed = [hit(1, 10), hit(2, 20), hit(3, 30)];
    expect((await propose(2)).identityIds).toContain(30);
    expect(limits).toEqual([2, 8]);
  });

  test('of each face are enough', async () => {
    refer(reference(1, 10), reference(2, 20));
    const ofFace = [
      [hit(1, 10), hit(2, 20)],
      [hit(8, 80), hit(2, 20)],
    ];
    const answers = (limit: number) => ofFace.map((own) => own.slice(0, limit));
    const searchIdentities: VectorIndex['searchIdentities'] = (_, { limit }) => {
      limits.push(limit);
      return Promise.resolve(answers(limit));
    };
    const index = { ...vectors, searchIdentities };
    expect(await propose(1, [X, Y], { index })).toMatchObject({
      identityIds: expect.arrayContaining([10, 20]),
    });
    expect(limits).toEqual([1, 4]);
  });

  test('need no further search where the index has no more', async () => {
    indexed = [hit(1, 10)];
    await propose(2);
    expect(limits).toEqual([2]);
  });

  test('count an identity as live if it has another reference than the one that was found', async () => {
    refer(reference(9, 10));
    indexed = [hit(1, 10)];
    await propose(1);
    expect(limits).toEqual([1]);
  });

  test('read references of the tail once', async () => {
    refer(reference(1, 10), reference(2, 20));
    const tails = new TailCache();
    tail = [1];
    await propose(1, [X], { tails });
    tail = [1, 2];
    reads = [];
    await propose(1, [X], { tails });
    expect(reads[0]).toEqual([2]);
  });
});

describe('nothing is proposed', () => {
  test('while the nearest 5,000 in the index are deleted', async () => {
    indexed = Array.from({ length: 5001 }, (_, i) => hit(i + 1, i + 1));
    await expect(propose(5)).rejects.toMatchObject({ code: 'vectors_unavailable' });
    expect(limits.at(-1)).toBe(5000);
  });

  test('from a tail of more than 5,000', async () => {
    tail = Array.from({ length: 5000 }, (_, i) => i + 1);
    await expect(propose(1)).resolves.toBeDefined();
    tail = [...tail, 5001];
    await expect(propose(1)).rejects.toMatchObject({ code: 'vectors_unavailable' });
  });

  test('while enrolled people lack their references', async () => {
    isBehind = true;
    await expect(propose(1)).rejects.toMatchObject({ code: 'vectors_unavailable' });
  });
});
