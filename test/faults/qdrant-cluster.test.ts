import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../support/waits/wait-until.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { compareIndex } from '@sightline/core/vectors/compare-index';
import { indexChanges, type IndexDeps } from '@sightline/core/vectors/index-changes';
import { FIRST_POINT } from '@sightline/core/vectors/index-source';
import type { VectorIndexDraft, VectorSpace } from '@sightline/core/vectors/vector-index';
import { createLogger } from '@sightline/platform/logging/logger';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import { describeVectorIndex } from '../contract/vector-index.contract.ts';
import { sampled } from '../support/gates/soak.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { QdrantCluster } from '../support/servers/qdrant-cluster.ts';
import { direction, type SeededEnvironment } from '../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../support/fixtures/store-fixture.ts';

const NODES = 3;
/** The node that gets all requests. */
const ASKED = 1;
const timeouts = { read: 60_000, write: 60_000, change: 60_000 };

describeWithQdrantProcess('three Qdrants, two shards of everything, two replicas of each', () => {
  let cluster: QdrantCluster;
  let store: StoreFixture;
  let home: SeededEnvironment;

  beforeAll(async () => {
    cluster = await QdrantCluster.start(NODES);
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    store = await openStoreFixture();
    home = await store.environment();
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
  });

  const open = (node: number, installation: string = randomUUID()) =>
    new QdrantVectorIndex({
      url: cluster.nodes[node]!.url,
      installation,
      timeouts,
      shards: 2,
      replicas: 2,
      logger: createLogger({ level: 'silent' }),
    });
  /** Begins to fill an index. A cluster whose leader has just changed refuses to create collections for a while. */
  async function begin(index: QdrantVectorIndex): Promise<VectorIndexDraft> {
    const tryToBegin = (): Promise<{ draft: VectorIndexDraft } | { error: unknown }> =>
      index.begin().then(
        (draft) => ({ draft }),
        (error: unknown) => ({ error }),
      );
    const begun = await waitUntil('the index is begun', tryToBegin, {
      isDone: (found) => 'draft' in found,
      pauseMs: 200,
    });
    return (begun as { draft: VectorIndexDraft }).draft;
  }

  const depsOf = (index: QdrantVectorIndex): IndexDeps => ({
    source: store.source,
    changeLog: store.changeLog,
    index,
  });

  /** Enrolls faces in the database. Only `bringAll` adds them to the index. */
  async function enroll(people: number): Promise<void> {
    for (let n = 0; n < people; n++) {
      const identityId = await home.identity(randomUUID());
      const embedding = { modelId: store.faceModelId, vector: direction(n) };
      await home.photo([{ identityId, enrolledBy: [store.faceModelId], embedding }]);
    }
  }

  async function firstSpace(): Promise<VectorSpace> {
    const [placed] = await store.source.scan('faces', { after: FIRST_POINT, limit: 1 });
    return placed!.space;
  }

  /** Applies all changes of the database to the index, and returns how many times the index refused changes. */
  async function bringAll(index: QdrantVectorIndex): Promise<number> {
    for (let refusals = 0; ; refusals++) {
      try {
        while (await indexChanges(depsOf(index)));
        return refusals;
      } catch (error) {
        expect(error).toMatchObject({ code: 'vectors_unavailable' });
        await delay(100);
      }
    }
  }

  /** Searches, with retries while the index is unavailable. Any other error fails the test. */
  async function search(index: QdrantVectorIndex): Promise<number> {
    const space = await firstSpace();
    for (;;) {
      try {
        const query = { vectors: [direction(1)], limit: 3 };
        const [hits] = await index.searchPoints(space, query);
        return hits!.length;
      } catch (error) {
        expect(error).toMatchObject({ code: 'vectors_unavailable' });
        await delay(100);
      }
    }
  }

  test('every collection of points has them', async () => {
    const index = open(ASKED);
    await (await begin(index)).publish();
    await enroll(1);
    await bringAll(index);
    const { kind, modelId, dimension } = await firstSpace();
    expect(await shardsOf(`${kind}-${modelId}-${dimension}`)).toEqual(
      Array.from({ length: 2 }, () => ({ replicas: 2 })),
    );
  });

  /** The shards of a space's collection, as the node reports them. */
  async function shardsOf(space: string) {
    const { url } = cluster.nodes[ASKED]!;
    const ask = async (path: string) => {
      const { result } = (await (await fetch(new URL(path, url))).json()) as { result: unknown };
      return result;
    };
    const { collections } = (await ask('/collections')) as { collections: { name: string }[] };
    const { name } = collections.find((collection) => collection.name.includes(`-${space}-`))!;
    const shards = (await ask(`/collections/${name}/cluster`)) as Readonly<
      Record<'local_shards' | 'remote_shards', readonly { readonly shard_id: number }[]>
    >;
    const replicas = [...shards.local_shards, ...shards.remote_shards];
    const ofShard = Map.groupBy(replicas, ({ shard_id: id }) => id);
    return [...ofShard.values()].map(({ length }) => ({ replicas: length }));
  }

  test.each(
    sampled(
      [
        ['the node that began the cluster', 0],
        ['another node', 2],
      ] as const,
      1,
    ),
  )('%s is killed: the others go on, and nothing acknowledged is lost', async (_, killed) => {
    const installation = randomUUID();
    const index = open(ASKED, installation);
    await (await begin(index)).publish();
    await enroll(10);
    await bringAll(index);
    const dying = cluster.nodes[killed]!.kill();
    await enroll(10);
    await bringAll(index);
    await dying;
    await enroll(10);
    await bringAll(index);
    expect(await search(index)).toBe(3);
    const none = { missing: 0, extra: 0, stale: 0 };
    const settle = async () => {
      await bringAll(index);
    };
    expect(await compareIndex(depsOf(index), settle)).toEqual(none);

    await cluster.nodes[killed]!.start();
    await enroll(10);
    await bringAll(index);
    for (let node = 0; node < NODES; node++) {
      const same = open(node, installation);
      while ((await same.state()) !== 'ready') await delay(100);
      expect(await compareIndex(depsOf(same), settle)).toEqual(none);
    }
    // The restarted node has caught up, so another node may be killed.
    const other = killed === 2 ? 0 : 2;
    await cluster.nodes[other]!.kill();
    expect(await search(index)).toBe(3);
    await enroll(5);
    await bringAll(index);
    expect(await compareIndex(depsOf(index), settle)).toEqual(none);
    await cluster.nodes[other]!.start();
  });

  describeVectorIndex(
    'vectors-qdrant',
    async () => {
      // The cluster has a leader as soon as another installation can create collections.
      await begin(open(ASKED));
      return { index: open(ASKED), [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    { tolerance: 1e-5 },
  );
});
