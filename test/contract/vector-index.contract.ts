import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  VectorIndex,
  VectorPoint,
  VectorQuery,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';

export interface OpenVectorIndex extends AsyncDisposable {
  readonly index: VectorIndex;
}

export interface VectorIndexTraits {
  /** How far a cosine may be from that of the float32 vectors. */
  readonly tolerance: number;
  /** Called after writes, where searches find them only a little later. */
  readonly settle?: () => Promise<void>;
}

const DIMENSION = 128;

/**
 * What every adapter of the VectorIndex port keeps to. The index that `open` gives may hold other
 * points: each test keeps to an environment of its own. Where the order counts, cosines lie further
 * apart than the tolerance, or are equal.
 */
export function describeVectorIndex(
  name: string,
  open: () => Promise<OpenVectorIndex>,
  traits: VectorIndexTraits,
): void {
  describe(`${name} as a vector index`, () => {
    let opened: OpenVectorIndex;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    const tried = (): Tried => new Tried(opened.index, traits);
    describePoints(tried);
    describeIdentities(tried);
    describeWrites(tried);
    describeLists(tried);
    describeIsolation(tried);
    describeRefusals(tried);
  });
}

/** An index whose writes have settled when they are done. */
class Tried {
  readonly index: VectorIndex;
  readonly #traits: VectorIndexTraits;
  readonly space: VectorSpace;

  constructor(index: VectorIndex, traits: VectorIndexTraits) {
    this.index = index;
    this.#traits = traits;
    this.space = someSpace();
  }

  get tolerance(): number {
    return this.#traits.tolerance;
  }

  async upsert(points: readonly VectorPoint[], space = this.space): Promise<void> {
    await this.index.upsert(space, points);
    await this.#traits.settle?.();
  }

  async remove(...ids: number[]): Promise<void> {
    await this.index.remove(this.space, ids);
    await this.#traits.settle?.();
  }

  async dropEnvironment(): Promise<void> {
    await this.index.dropEnvironment(this.space.environmentId);
    await this.#traits.settle?.();
  }

  async points(vector: Float32Array, limit = 10, space = this.space) {
    const [hits] = await this.index.searchPoints(space, { vectors: [vector], limit });
    return hits!;
  }

  async identities(vector: Float32Array, limit = 10, space = this.space) {
    const [hits] = await this.index.searchIdentities(space, { vectors: [vector], limit });
    return hits!;
  }

  async ids(): Promise<number[]> {
    const found = await this.index.list(this.space, { after: 0, limit: 1000 });
    return found.map(({ id }) => id);
  }
}

type Open = () => Tried;

function describePoints(open: Open): void {
  test('is ready', async () => {
    expect(await open().index.state()).toBe('ready');
  });

  test('finds nothing where nothing was written', async () => {
    const tried = open();
    const query = { vectors: [axis(0), axis(1)], limit: 5 };
    expect(await tried.index.searchPoints(tried.space, query)).toEqual([[], []]);
    expect(await tried.index.searchIdentities(tried.space, query)).toEqual([[], []]);
    expect(await tried.ids()).toEqual([]);
    await tried.remove(1);
  });

  test('finds points by cosine, the most similar first', async () => {
    const tried = open();
    const cosines = [0.2, 0.9, -0.5, 0.6, -1, 1];
    await tried.upsert(cosines.map((cosine, n) => point(n + 1, n % 2 ? n : null, at(cosine))));
    const hits = await tried.points(axis(0));
    expect(hits.map(({ id, identityId }) => [id, identityId])).toEqual([
      ...[
        [6, 5],
        [2, 1],
        [4, 3],
        [1, null],
        [3, null],
        [5, null],
      ],
    ]);
    for (const { id, cosine } of hits) {
      expect(Math.abs(cosine - cosines[id - 1]!)).toBeLessThanOrEqual(tried.tolerance);
      expect(Math.abs(cosine)).toBeLessThanOrEqual(1);
    }
    expect((await tried.points(axis(0), 2)).map(({ id }) => id)).toEqual([6, 2]);
  });

  test('answers each vector of a query in its place', async () => {
    const tried = open();
    await tried.upsert([0, 1, 2].map((n) => point(n + 1, n + 11, axis(n))));
    const vectors = [axis(2), axis(0), axis(1), axis(0)];
    const points = await tried.index.searchPoints(tried.space, { vectors, limit: 1 });
    expect(points.map(([hit]) => hit?.id)).toEqual([3, 1, 2, 1]);
    const identities = await tried.index.searchIdentities(tried.space, { vectors, limit: 1 });
    expect(identities.map(([hit]) => hit?.identityId)).toEqual([13, 11, 12, 11]);
    expect(await tried.index.searchPoints(tried.space, { vectors: [], limit: 1 })).toEqual([]);
  });

  test('answers many vectors like each alone', async () => {
    const tried = open();
    const random = randomVectors(3);
    await tried.upsert(Array.from({ length: 50 }, (_, n) => point(n + 1, null, random())));
    const vectors = Array.from({ length: 400 }, random);
    const together = await tried.index.searchPoints(tried.space, { vectors, limit: 3 });
    for (const [n, vector] of vectors.entries()) {
      expect(together[n]).toEqual(await tried.points(vector, 3));
    }
  });

  test('orders equal points by id', async () => {
    const tried = open();
    await tried.upsert([9, 4, 7].map((id) => point(id, 100 - id, at(0.5))));
    expect((await tried.points(axis(0))).map(({ id }) => id)).toEqual([4, 7, 9]);
    const identities = (await tried.identities(axis(0))).map(({ identityId }) => identityId);
    expect(identities).toEqual([91, 93, 96]);
  });

  test('takes ids as large as numbers hold', async () => {
    const tried = open();
    const [id, identityId] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1];
    await tried.upsert([point(id, identityId, axis(0)), point(1, null, at(0.5))]);
    expect(await tried.points(axis(0), 1)).toMatchObject([{ id, identityId }]);
    expect(await tried.identities(axis(0))).toMatchObject([{ pointId: id, identityId }]);
    expect(await tried.ids()).toEqual([1, id]);
  });

  test('agrees with a comparison of everything with everything', async () => {
    const tried = open();
    const random = randomVectors(1);
    const points = Array.from({ length: 600 }, (_, n) =>
      point(n + 1, n % 5 ? Math.floor(n / 7) + 1 : null, random()),
    );
    await tried.upsert(points);
    const vectors = Array.from({ length: 7 }, random);
    const query = { vectors, limit: 10 };
    await expectBestPoints(tried, points, query);
    await expectBestIdentities(tried, points, query);
  });
}

function describeIdentities(open: Open): void {
  test('finds each identity once, by its most similar point', async () => {
    const tried = open();
    await tried.upsert([
      ...[point(1, 7, at(0.3)), point(2, 7, at(0.8)), point(3, 7, at(0.5))],
      ...[point(4, 8, at(0.6)), point(5, 9, at(0.1)), point(6, 9, at(-0.4))],
    ]);
    const hits = await tried.identities(axis(0));
    expect(hits.map(({ identityId, pointId }) => [identityId, pointId])).toEqual([
      ...[
        [7, 2],
        [8, 4],
        [9, 5],
      ],
    ]);
    expect(Math.abs(hits[0]!.cosine - 0.8)).toBeLessThanOrEqual(tried.tolerance);
  });

  test('passes over points without identity', async () => {
    const tried = open();
    const strangers = Array.from({ length: 200 }, (_, n) => point(n + 1, null, at(0.99)));
    await tried.upsert([...strangers, point(500, 3, at(0.2))]);
    expect(await tried.identities(axis(0), 2)).toMatchObject([{ identityId: 3, pointId: 500 }]);
  });

  test('lets nobody hide others behind hundreds of points', async () => {
    const tried = open();
    const crowd = Array.from({ length: 500 }, (_, n) => point(n + 1, 1, at(0.95 + n / 20_000)));
    await tried.upsert([...crowd, point(1001, 2, at(0.5)), point(1002, 3, at(0.3))]);
    const hits = await tried.identities(axis(0), 3);
    expect(hits.map(({ identityId }) => identityId)).toEqual([1, 2, 3]);
    const two = await tried.identities(axis(0), 2);
    expect(two.map(({ identityId }) => identityId)).toEqual([1, 2]);
  });
}

function describeWrites(open: Open): void {
  test('replaces a point, with its vector and its identity', async () => {
    const tried = open();
    await tried.upsert([point(1, 5, at(0.9)), point(2, 6, at(0.5))]);
    await tried.upsert([point(1, 6, at(0.2))]);
    expect(await tried.identities(axis(0))).toMatchObject([{ identityId: 6, pointId: 2 }]);
    await tried.upsert([point(2, null, at(0.5))]);
    expect(await tried.identities(axis(0))).toMatchObject([{ identityId: 6, pointId: 1 }]);
    expect(await tried.points(axis(0))).toMatchObject([
      { id: 2, identityId: null },
      { id: 1, identityId: 6 },
    ]);
  });

  test('takes the last of two points with one id', async () => {
    const tried = open();
    await tried.upsert([point(1, 5, at(0.9)), point(1, 6, at(0.2))]);
    expect(await tried.points(axis(0))).toMatchObject([{ id: 1, identityId: 6 }]);
  });

  test('removes points, also such as are not there', async () => {
    const tried = open();
    const random = randomVectors(2);
    const points = Array.from({ length: 300 }, (_, n) => point(n + 1, (n % 40) + 1, random()));
    await tried.upsert(points);
    const gone = points.map(({ id }) => id).filter((id) => id % 3 !== 0);
    await tried.remove(...gone, 5000);
    const left = points.filter(({ id }) => id % 3 === 0);
    expect(await tried.ids()).toEqual(left.map(({ id }) => id));
    const query = { vectors: [random(), random()], limit: 20 };
    await expectBestPoints(tried, left, query);
    await expectBestIdentities(tried, left, query);
    await tried.remove(...left.map(({ id }) => id));
    expect(await tried.points(axis(0))).toEqual([]);
    await tried.upsert(points.slice(0, 1));
    expect(await tried.ids()).toEqual([1]);
  });

  test('takes thousands at once, and leaves their vectors to the caller', async () => {
    const tried = open();
    const random = randomVectors(4);
    const all = new Float32Array(5000 * DIMENSION);
    const points = Array.from({ length: 5000 }, (_, n) => {
      const vector = all.subarray(n * DIMENSION, (n + 1) * DIMENSION);
      vector.set(random());
      return point(n + 1, n + 1, vector);
    });
    await tried.upsert(points);
    expect(all.length).toBe(5000 * DIMENSION);
    for (const n of [0, 2500, 4999]) {
      expect(await tried.points(points[n]!.vector, 1)).toMatchObject([{ id: n + 1 }]);
    }
  });

  test('takes nothing at all', async () => {
    const tried = open();
    await tried.upsert([]);
    await tried.remove();
    expect(await tried.ids()).toEqual([]);
  });
}

function describeLists(open: Open): void {
  test('lists by id, page after page', async () => {
    const tried = open();
    const ids = Array.from({ length: 25 }, (_, n) => ((n * 7) % 25) * 3 + 1);
    await tried.upsert(ids.map((id) => point(id, id % 2 ? id * 10 : null, at(0.5))));
    const seen: (readonly [number, number | null])[] = [];
    for (let after = 0, full = true; full;) {
      const page = await tried.index.list(tried.space, { after, limit: 10 });
      seen.push(...page.map(({ id, identityId }) => [id, identityId] as const));
      after = page.at(-1)?.id ?? after;
      full = page.length === 10;
    }
    const ascending = ids.toSorted((a, b) => a - b);
    expect(seen).toEqual(ascending.map((id) => [id, id % 2 ? id * 10 : null]));
  });

  test('lists what is there now', async () => {
    const tried = open();
    await tried.upsert([3, 1, 2].map((id) => point(id, null, axis(0))));
    expect(await tried.ids()).toEqual([1, 2, 3]);
    await tried.remove(2);
    await tried.upsert([point(10, 4, axis(0)), point(1, 9, axis(0))]);
    expect(await tried.index.list(tried.space, { after: 0, limit: 10 })).toEqual([
      ...[
        { id: 1, identityId: 9 },
        { id: 3, identityId: null },
        { id: 10, identityId: 4 },
      ],
    ]);
    expect(await tried.index.list(tried.space, { after: 10, limit: 10 })).toEqual([]);
  });
}

function describeIsolation(open: Open): void {
  const others: readonly (readonly [string, (space: VectorSpace) => VectorSpace])[] = [
    ['environment', (space) => ({ ...space, environmentId: someSpace().environmentId })],
    ['model', (space) => ({ ...space, modelId: space.modelId + 1 })],
    ['kind', (space) => ({ ...space, kind: 'means' })],
  ];

  test.each(others)('keeps points of another %s apart', async (_, turn) => {
    const tried = open();
    const other = turn(tried.space);
    await tried.upsert([point(1, 7, axis(0))]);
    await tried.upsert([point(1, 8, at(0.5)), point(2, 9, axis(0))], other);
    expect(await tried.points(axis(0))).toMatchObject([{ id: 1, identityId: 7 }]);
    expect(await tried.identities(axis(0))).toMatchObject([{ identityId: 7 }]);
    expect(await tried.points(axis(0), 5, other)).toMatchObject([{ id: 2 }, { id: 1 }]);
    await tried.remove(1, 2);
    expect(await tried.identities(axis(0), 5, other)).toHaveLength(2);
    expect(await tried.ids()).toEqual([]);
  });

  test('forgets an environment with all of its spaces, and no other', async () => {
    const tried = open();
    const { space } = tried;
    const same = others.slice(1).map(([, turn]) => turn(space));
    const foreign = someSpace();
    for (const one of [space, ...same, foreign]) await tried.upsert([point(1, 7, axis(0))], one);
    await tried.dropEnvironment();
    for (const one of [space, ...same]) expect(await tried.points(axis(0), 5, one)).toEqual([]);
    expect(await tried.points(axis(0), 5, foreign)).toHaveLength(1);
    await tried.upsert([point(2, 7, axis(0))]);
    expect(await tried.ids()).toEqual([2]);
    await tried.dropEnvironment();
    await tried.dropEnvironment();
  });
}

function describeRefusals(open: Open): void {
  const rangeError = expect.objectContaining({ name: 'RangeError' });

  test('refuses vectors of another length, and then changes nothing', async () => {
    const { index, space, ids } = bound(open());
    const short = axis(0).subarray(1);
    const points = [point(1, null, axis(0)), point(2, null, short)];
    await expect(index.upsert(space, points)).rejects.toEqual(rangeError);
    expect(await ids()).toEqual([]);
    const query = { vectors: [axis(0), short], limit: 1 };
    await expect(index.searchPoints(space, query)).rejects.toEqual(rangeError);
    await expect(index.searchIdentities(space, query)).rejects.toEqual(rangeError);
  });

  test.each([0, -1, 1.5, NaN])('refuses the limit %d', async (limit) => {
    const { index, space } = open();
    const query = { vectors: [axis(0)], limit };
    await expect(index.searchPoints(space, query)).rejects.toEqual(rangeError);
    await expect(index.searchIdentities(space, query)).rejects.toEqual(rangeError);
    await expect(index.list(space, { after: 0, limit })).rejects.toEqual(rangeError);
  });

  describe('an abort', () => {
    const reason = new Error('the caller left');
    const aborted = AbortSignal.abort(reason);
    const query = { vectors: [axis(0)], limit: 1 };

    test('before the call is the answer, and nothing is done', async () => {
      const { index, space, ids } = bound(open());
      const points = [point(1, 2, axis(0))];
      await expect(index.upsert(space, points, aborted)).rejects.toBe(reason);
      expect(await ids()).toEqual([]);
      await index.upsert(space, points);
      await expect(index.remove(space, [1], aborted)).rejects.toBe(reason);
      await expect(index.searchPoints(space, query, aborted)).rejects.toBe(reason);
      await expect(index.searchIdentities(space, query, aborted)).rejects.toBe(reason);
      await expect(index.list(space, { after: 0, limit: 1 }, aborted)).rejects.toBe(reason);
      await expect(index.dropEnvironment(space.environmentId, aborted)).rejects.toBe(reason);
      expect(await ids()).toEqual([1]);
    });

    test('of some of many searches leaves the others', async () => {
      const tried = open();
      const random = randomVectors(5);
      await tried.upsert(Array.from({ length: 2000 }, (_, n) => point(n + 1, n + 1, random())));
      const controller = new AbortController();
      const searches = Array.from({ length: 20 }, (_, n) =>
        tried.index.searchPoints(tried.space, query, n % 2 ? controller.signal : undefined),
      );
      const outcomes = Promise.allSettled(searches);
      controller.abort(reason);
      for (const [n, outcome] of (await outcomes).entries()) {
        if (n % 2) expect(outcome).toEqual({ status: 'rejected', reason });
        else
          expect(outcome).toMatchObject({
            status: 'fulfilled',
            value: [[{ id: expect.any(Number) }]],
          });
      }
      expect(await tried.points(axis(0), 1)).toHaveLength(1);
    });
  });
}

function bound(tried: Tried) {
  return { index: tried.index, space: tried.space, ids: () => tried.ids() };
}

async function expectBestPoints(
  { index, space, tolerance }: Tried,
  points: readonly VectorPoint[],
  query: VectorQuery,
): Promise<void> {
  const answers = await index.searchPoints(space, query);
  for (const [n, hits] of answers.entries()) {
    const cosines = new Map(points.map(({ id, vector }) => [id, dot(vector, query.vectors[n]!)]));
    const best = [...cosines.values()].sort((a, b) => b - a).slice(0, query.limit);
    expectClose(
      hits.map(({ cosine }) => cosine),
      best,
      tolerance,
    );
    expectClose(
      hits.map(({ id }) => cosines.get(id)!),
      best,
      tolerance,
    );
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    for (const { id, identityId } of hits) {
      expect(points.find((found) => found.id === id)?.identityId).toBe(identityId);
    }
  }
}

async function expectBestIdentities(
  { index, space, tolerance }: Tried,
  points: readonly VectorPoint[],
  query: VectorQuery,
): Promise<void> {
  const answers = await index.searchIdentities(space, query);
  const known = Map.groupBy(
    points.filter(({ identityId }) => identityId !== null),
    ({ identityId }) => identityId,
  );
  for (const [n, hits] of answers.entries()) {
    const cosineTo = ({ vector }: VectorPoint) => dot(vector, query.vectors[n]!);
    const best = [...known.values()]
      .map((own) => Math.max(...own.map(cosineTo)))
      .sort((a, b) => b - a)
      .slice(0, query.limit);
    expectClose(
      hits.map(({ cosine }) => cosine),
      best,
      tolerance,
    );
    expect(new Set(hits.map(({ identityId }) => identityId)).size).toBe(hits.length);
    for (const { identityId, pointId, cosine } of hits) {
      const hit = known.get(identityId)?.find(({ id }) => id === pointId);
      expect(Math.abs(cosineTo(hit!) - cosine)).toBeLessThanOrEqual(tolerance);
    }
  }
}

function expectClose(
  values: readonly number[],
  wanted: readonly number[],
  tolerance: number,
): void {
  expect(values).toHaveLength(wanted.length);
  for (const [n, value] of values.entries()) {
    expect(Math.abs(value - wanted[n]!)).toBeLessThanOrEqual(tolerance);
  }
}

/** Environments that no other test, nor another run against the same index, uses. */
let lastEnvironment = Date.now() * 1000;

function someSpace(): VectorSpace {
  return { environmentId: ++lastEnvironment, modelId: 1, kind: 'references', dimension: DIMENSION };
}

function point(id: number, identityId: number | null, vector: Float32Array): VectorPoint {
  return { id, identityId, vector };
}

function axis(n: number): Float32Array {
  const vector = new Float32Array(DIMENSION);
  vector[n] = 1;
  return vector;
}

/** A unit vector with this cosine to `axis(0)`. */
function at(cosine: number): Float32Array {
  const vector = axis(0);
  vector[0] = cosine;
  vector[1] = Math.sqrt(1 - cosine * cosine);
  return vector;
}

/** Unit vectors in all directions, the same ones for the same seed. */
function randomVectors(seed: number): () => Float32Array {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => {
    const vector = Float32Array.from({ length: DIMENSION }, next);
    const length = Math.sqrt(dot(vector, vector));
    return vector.map((value) => value / length);
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0);
}
