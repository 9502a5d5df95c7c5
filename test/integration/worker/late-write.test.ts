import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { compareIndex } from '@sightline/core/vectors/compare-index';
import { indexChanges, type IndexDeps } from '@sightline/core/vectors/index-changes';
import type { VectorIndex, VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';
import { createLogger } from '@sightline/platform/logging/logger';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import type { TestQdrant } from '../../support/servers/choose-qdrant.ts';
import { describeWithQdrant } from '../../support/servers/qdrant.ts';

const NO_DRIFT = { missing: 0, extra: 0, stale: 0 };

interface OpenIndex extends AsyncDisposable {
  readonly index: VectorIndex;
}

/** Tests how an index treats a late write, which its client has given up. */
function describeLateWrites(open: () => Promise<OpenIndex>): void {
  let resources: AsyncDisposableStack;
  let store: StoreFixture;
  let home: SeededEnvironment;
  let index: VectorIndex;
  let deps: IndexDeps;
  let ann: number;

  beforeEach(async () => {
    resources = new AsyncDisposableStack();
    store = resources.use(await openStoreFixture());
    home = await store.environment();
    ({ index } = resources.use(await open()));
    await (await index.begin()).publish();
    deps = { source: store.source, changeLog: store.changeLog, index };
    ann = await home.identity('Ann');
    await enroll(10);
    await catchUp();
    expect(await compareIndex(deps, catchUp)).toEqual(NO_DRIFT);
  });

  afterEach(async () => {
    await resources.disposeAsync();
  });

  const space = (kind: VectorKind): VectorSpace => ({
    environmentId: home.scope.environmentId,
    modelId: store.faceModelId,
    kind,
    dimension: direction(0).length,
  });

  const enroll = (degrees: number) =>
    home.photo([
      {
        identityId: ann,
        enrolledBy: [store.faceModelId],
        embedding: { modelId: store.faceModelId, vector: direction(degrees) },
      },
    ]);

  async function catchUp(): Promise<void> {
    while (await indexChanges(deps));
  }

  /** Expects a vector near this angle. The angles within a test differ by several degrees. */
  async function expectAngle(kind: VectorKind, degrees: number): Promise<void> {
    const query = { vectors: [direction(degrees)], limit: 1 };
    const [hits] = await index.searchIdentities(space(kind), query);
    expect(hits).toMatchObject([{ identityId: ann }]);
    expect(hits![0]!.cosine).toBeCloseTo(1, 4);
  }

  async function expectRepaired(stale: number): Promise<void> {
    expect(await checkConsistency({ ...store, vectors: deps })).toHaveLength(stale);
    expect(await compareIndex(deps, catchUp)).toEqual({ ...NO_DRIFT, stale });
    await catchUp();
    expect(await compareIndex(deps, catchUp)).toEqual(NO_DRIFT);
    expect(await checkConsistency({ ...store, vectors: deps })).toEqual([]);
  }

  test('a mean that has changed since is found, and repaired', async () => {
    const late = await store.source.points(space('means'), [ann]);
    await enroll(70);
    await catchUp();
    await expectAngle('means', 40);
    await index.upsert(space('means'), late);
    await expectAngle('means', 10);
    await expectRepaired(1);
    await expectAngle('means', 40);
  });

  test.each(['references', 'faces'] as const)(
    'of %s: another vector of the same identity is found, and the right one comes back',
    async (kind) => {
      await enroll(50);
      await catchUp();
      const listed = await store.source.list(space(kind), { after: 0, limit: 9 });
      const ids = listed.map(({ id }) => id);
      const [first, second] = await store.source.points(space(kind), ids);
      await index.upsert(space(kind), [{ ...second!, id: first!.id }]);
      const query = { vectors: [direction(10)], limit: 1 };
      const [hits] = await index.searchIdentities(space(kind), query);
      expect(hits![0]!.cosine).toBeLessThan(0.9);
      await expectRepaired(1);
      await expectAngle(kind, 10);
      await expectAngle(kind, 50);
    },
  );
}

describe('a late write to an embedded index', () => {
  describeLateWrites(() => {
    const index = new EmbeddedVectorIndex();
    return Promise.resolve({
      index,
      [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
    });
  });
});

describeWithQdrant('a late write to a Qdrant', (startQdrant) => {
  describeLateWrites(async () => {
    const qdrant: TestQdrant = await startQdrant();
    const index = new QdrantVectorIndex({
      url: qdrant.url,
      ...(qdrant.apiKey !== undefined && { apiKey: () => [qdrant.apiKey!] }),
      installation: qdrant.installation(),
      logger: createLogger({ level: 'silent' }),
      timeouts: { read: 60_000, write: 60_000, change: 60_000 },
    });
    return { index, [Symbol.asyncDispose]: () => qdrant[Symbol.asyncDispose]() };
  });
});
